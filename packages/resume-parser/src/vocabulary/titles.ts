import { fold, words } from './words.ts'

/**
 * Words of occupations. `*` stands for any letters before or after: German and Dutch build one word out of many, and
 * other languages inflect.
 */
const OCCUPATIONS = words(`
  engineer* developer* programmer* architect* scientist* analyst* designer* manager* director* consultant* specialist*
  administrator* coordinator* co-ordinator* assistant* accountant* nurse* teacher* lecturer* researcher* recruiter* officer*
  lead leader head technician* operator* representative* advisor* adviser* strategist* editor* writer* journalist* lawyer*
  attorney* paralegal* physician* doctor pharmacist* therapist* intern interns internship trainee* apprentice* associate*
  executive president vice-president chief cto ceo cfo coo cio cmo cpo vp svp evp founder* co-founder* cofounder* owner
  partner supervisor* foreman electrician* mechanic* driver* chef cook waiter* waitress barista* cashier* salesperson*
  seller* buyer* planner* controller* auditor* tester* qa sre devops freelancer* freelance professor* postdoc* postdoctoral
  fellow marketer* copywriter* producer* photographer* translator* interpreter* clerk* secretary receptionist* librarian*
  worker* agent* broker* carpenter* plumber* welder* machinist* labourer* laborer* handler* packer* picker* cleaner*
  caretaker* guard inspector* surveyor* estimator* chemist* biologist* physicist* economist* statistician* actuary
  psychologist* counselor* counsellor* tutor* instructor* trainer* coach* mentor* facilitator* evangelist* ambassador*
  scrum-master master journeyman proofreader* reporter* correspondent* curator* archivist* animator* illustrator*
  artist* musician* actor* dentist* hygienist* paramedic* midwife surgeon* vet veterinarian* radiographer* caregiver* carer*
  dispatcher* pilot* steward* stewardess captain* sailor* soldier* sergeant* lieutenant* firefighter* policeman* detective*
  bartender* baker* butcher* gardener* farmer* florist* hairdresser* beautician* tailor* stylist* merchandiser*
  underwriter* teller* treasurer* bookkeeper* comptroller* solicitor* barrister* judge notary principal dean provost
  contributor* volunteer* student* helper* sysadmin* webmaster* sommelier* concierge* hostess
  installer* fitter* assembler* painter* roofer* mason* bricklayer* glazier* fabricator* geologist*
  *ingenieur *ingenieurin *entwickler *entwicklerin *leiter *leiterin *leitung *berater *beraterin *angestellte
  *angestellter *kaufmann *kauffrau *mechaniker *mechanikerin *mechatroniker* *techniker *technikerin *pfleger *pflegerin
  *lehrer *lehrerin *assistent *assistentin *referent *referentin *beauftragte *beauftragter *sachbearbeiter*
  *mitarbeiter *mitarbeiterin werkstudent* praktikant* *auszubildende* azubi* *geschaftsfuhrer* *architekt *architektin
  *verkaufer *verkauferin *einkaufer *einkauferin *planer *planerin *gestalter *gestalterin *instandhalter* *monteur*
  *fahrer *fahrerin *volontar *volontarin *meister *meisterin koch kochin *arzt *arztin *anwalt *anwaltin *forscher*
  *wissenschaftler* *informatiker* *administratorin *redakteur* *journalistin *designerin *managerin *controllerin
  *schlosser* *schreiner* *tischler* *elektriker* *elektroniker* *installateur* *maler *malerin *lackierer* *backer*
  *kellner* *erzieher* *betreuer* *trainerin *dozent* *professorin *buchhalter* *steuerfachangestellte* *sekretar*
  *helfer *helferin *arbeiter *arbeiterin *bearbeiter* *prufer* *analystin *vertriebler* *disponent* *lagerist*
  vorstand* vorarbeiter* teamlead* gruppenleiter* hausmeister* hilfskraft* aushilfe* zivildienst* freiberufler* *fachkraft
  ingenieure* developpeu* architecte* directeur directrice directeurs responsable* charge chargee assistante* assistants
  comptable* technicien* consultant* conseiller* conseillere* chef cheffe gestionnaire* secretaire* infirmier* infirmiere*
  medecin* professeur* enseignant* formateur* formatrice* chercheu* stagiaire* apprenti* alternant* vendeu* serveu*
  cuisinier* cuisiniere* conducteur* conductrice* chauffeur* livreur* livreuse* ouvrier* ouvriere* employe* employee*
  commercial commerciale acheteu* redacteur* redactrice* traducteur* traductrice* graphiste* concepteur* conceptrice*
  juriste* avocat* avocate* pharmacien* psychologue* educateur* educatrice* animateur* animatrice* agent* operateur*
  operatrice* mecanicien* electricien* plombier* menuisier* macon* jardinier* boulanger* coiffeu* caissier* caissiere*
  hotesse* hote receptionniste* analyste* programmeu* administrateur* administratrice* coordinateur* coordinatrice*
  coordonnateur* coordonnatrice* aide-* auxiliaire* preparateur* preparatrice* magasinier* manutentionnaire* cadre
  president* presidente* fondateur* fondatrice* gerant* gerante* associe* doctorant* doctorante* attache attachee
  ingenier* desarrollador* programador* arquitect* director* directora* jefe jefa gerente* responsable* encargad*
  analista* consultor* consultora* asesor* asesora* tecnic* administrativ* auxiliar* ayudante* asistente* contable*
  contador* enfermer* medic* medico medica profesor* maestr* docente* investigador* becari* practicante* vendedor*
  dependient* comercial* cocinero* cocinera* camarer* conductor* conductora* chofer* repartidor* operari* obrer*
  mecanico* electricista* fontaner* carpinter* albanil* redactor* redactora* traductor* traductora* disenador*
  coordinador* coordinadora* supervisor* supervisora* abogad* farmaceutic* psicolog* educador* monitor* monitora*
  recepcionista* secretari* president* presidenta* fundador* socio socia segundo segunda cajer* limpiador* teleoperador*
  ingegner* sviluppator* sviluppatrice* programmator* programmatrice* architett* direttor* direttrice* responsabile*
  capo analista* consulente* tecnic* impiegat* assistente* contabile* ragionier* infermier* medico professor*
  insegnant* docente* ricercator* ricercatrice* stagista* tirocinant* apprendista* commess* venditor* venditrice*
  cuoc* camerier* autist* operai* operator* operatrice* meccanic* elettricist* idraulic* falegnam* redattor* redattrice*
  traduttor* traduttrice* grafic* progettist* coordinator* coordinatrice* addett* avvocat* farmacist* psicolog*
  educator* educatrice* segretari* president* presidentessa* fondator* amministrator* amministratrice* magazzinier*
  barist* parrucchier* giornalist* fotograf* collaborator* collaboratrice* praticante* dottorand* assegnist*
  engenheir* desenvolvedor* programador* arquitet* diretor* diretora* gestor* gestora* gerente* coordenador*
  coordenadora* analista* consultor* tecnic* assistente* auxiliar* contabilista* enfermeir* professor* professora*
  investigador* pesquisador* estagiari* vendedor* vendedora* cozinheir* empregad* motorista* operador* operadora*
  mecanic* eletricista* redator* redatora* tradutor* tradutora* designer* advogad* farmaceutic* psicolog* rececionista*
  recepcionista* secretari* president* fundador* socio supervisor* encarregad* operari* chefe* ajudante*
  *ontwikkelaar* *adviseur* *medewerker* *medewerkster* *leider* *teamleider* *manager* *beheerder* *coordinator*
  *consulent* *verpleegkundige* *docent* *leraar* *lerares* *onderzoeker* stagiair* *verkoper* *verkoopster* *chauffeur*
  *monteur* *boekhouder* *secretaris* *secretaresse* *redacteur* *vertaler* *ontwerper* *jurist* *advocaat* *arts
  *apotheker* *kok *bediening* *schoonmaker* *timmerman* *elektricien* *loodgieter* *planner* *inkoper* *projectleider*
  directeur* *hoofd bijbaan vakkenvuller* *hulp uitzendkracht* zzp'er *specialist* *analist*
  inzynier* programist* deweloper* architekt* dyrektor* kierowni* menedzer* manager* analityk* analityczka* konsultant*
  specjalist* technik* asystent* ksiegow* pielegniark* lekarz* nauczyciel* wykladowc* stazyst* praktykant* sprzedawc*
  kucharz* kelner* kierowca* operator* mechanik* elektryk* redaktor* tlumacz* projektant* koordynator* doradc* prawnik*
  farmaceut* psycholog* sekretark* prezes* zalozyciel* wlasciciel* pracowni* przedstawiciel* magazynier* kasjer*
  referent* mlodsz* starsz* glown* samodzieln* handlowiec*
  *utvecklare* *programmerare* *ingenjor* *chef* *ledare* *konsult* *tekniker* *assistent* *skoterska* *larare*
  *forskare* *saljare* *ekonom* *redovisare* *arkitekt* *handlaggare* *medarbetare* *samordnare* praktikant* *elektriker*
  *mekaniker* *kock* *servitor* *forare* *redaktor* *oversattare* *lakare* *administrator* *projektledare* *radgivare*
  *udvikler* *leder *konsulent* *sygeplejerske* *laerer* *forsker* *saelger* *medarbejder* *ingenior* *utvikler* *radgiver*
  *sykepleier* *selger* *medarbeider* *kokk *sjafor* kehittaja* insinoori* paallikko* asiantuntija* johtaja* opettaja*
  vyvojar* programator* inzenyr* inzinier* manazer* reditel* vedouci* analytik* konzultant* technik* ucetn* asistent*
  zdravotn* lekar* ucitel* prodavac* kuchar* cisnik* ridic* mechanik* elektrikar* redaktor* prekladatel* projektant*
  koordinator* poradce* pravnik* jednatel* majitel* referent* obchodn* skladnik* pokladn* veduci*
  fejleszto* mernok* vezeto* tanacsado* dezvoltator* inginer* contabil* muhendis* yonetici* uzman* gelistirici*`)

const EXACT = new Set(OCCUPATIONS.filter(word => !word.includes('*')))
const STARTS = OCCUPATIONS.filter(word => word.endsWith('*') && !word.startsWith('*')).map(word => word.slice(0, -1))
const ENDS = OCCUPATIONS.filter(word => word.startsWith('*') && !word.endsWith('*')).map(word => word.slice(1))
const INSIDE = OCCUPATIONS.filter(word => word.startsWith('*') && word.endsWith('*')).map(word => word.slice(1, -1))

/** Beginnings by their first three letters: most words are then compared with a handful. */
const STARTS_BY = new Map<string, string[]>()
for (const start of STARTS) {
  const key = start.slice(0, 3)
  STARTS_BY.set(key, [...(STARTS_BY.get(key) ?? []), start])
}

/** How far an inflected form may be longer than the word it comes from. */
const MAX_ENDING = 7

const known = new Map<string, boolean>()

function isOccupation(word: string): boolean {
  const seen = known.get(word)
  if (seen !== undefined) return seen
  const answer =
    EXACT.has(word) ||
    (STARTS_BY.get(word.slice(0, 3)) ?? []).some(s => word.startsWith(s) && word.length - s.length <= MAX_ENDING) ||
    ENDS.some(end => word.endsWith(end)) ||
    INSIDE.some(part => {
      const at = word.lastIndexOf(part)
      return at >= 0 && word.length - at - part.length <= 3
    })
  if (known.size < 20_000) known.set(word, answer)
  return answer
}

const ORGANIZATION_BEFORE =
  /\b(?:associates|partners|leaders|engineers|architects|designers|consultants|builders|makers)$/i

/** Whether a text names an occupation. */
export function looksLikeTitle(text: string): boolean {
  if (text.length > 120) return false
  const all = fold(text)
    .split(/[^\p{L}'-]+/u)
    .filter(word => word.length > 1)
  if (all.length === 0 || ORGANIZATION_BEFORE.test(text)) return all.length > 0 && all.slice(0, -1).some(isOccupation)
  return all.some(word => isOccupation(word) || (word.includes('-') && word.split('-').some(isOccupation)))
}

const LEVELS: readonly (readonly [string, RegExp])[] = [
  [
    'intern',
    /\b(?:intern|internship|trainee|apprentice|working student|werkstudent\w*|praktikant\w*|auszubildende\w*|azubi|stagiaire|alternante?|apprentie?|becari[oa]|stagista|tirocinante|stagiair\w*|stażyst\w*|stazyst\w*|estagi[aá]ri[oa])(?![\p{L}])/iu,
  ],
  [
    'principal',
    /\b(?:principal|staff|distinguished|chief|director|vp|vice president|cto|ceo|cfo|coo|head of|direktor\w*|geschäftsführer\w*|directeur|directrice|directora?|direttore|direttrice|diretora?|dyrektor)(?![\p{L}])/iu,
  ],
  [
    'lead',
    /\b(?:lead|team leader|head|manager|leiterin?|teamleiter\w*|\p{L}*leiter(?:in)?|responsable|responsabile|chef|jef[ea]|gestora?|gerente|teamleider|kierownik|gruppenleiter\w*)(?![\p{L}])/iu,
  ],
  ['senior', /\b(?:senior|sr\.?|starszy|starsza)(?=\s|$)/iu],
  [
    'junior',
    /\b(?:junior|jr\.?|graduate|entry[- ]level|assistant|assistante|assistent|asistente|assistente|młodszy)(?=\s|$)/iu,
  ],
]

/** By what the title says, then by years; a title that says nothing and no years are no basis. */
export function estimateSeniority(title: string | null, years: number | null): string | null {
  const named = title === null ? undefined : LEVELS.find(([, pattern]) => pattern.test(title))
  if (named) return named[0]
  if (years === null) return null
  return years < 2 ? 'junior' : years < 6 ? 'mid' : 'senior'
}
