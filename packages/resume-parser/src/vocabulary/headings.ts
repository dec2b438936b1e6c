import { fold, list, words } from './words.ts'

export type ResumeSection =
  | 'experience'
  | 'education'
  | 'skills'
  | 'languages'
  | 'contact'
  | 'summary'
  | 'authorization'
  | 'other'

/** Whole headings, folded. They win over the words below. */
const PHRASES: Readonly<Record<ResumeSection, string>> = {
  experience: `work, work history, job history, employment, career, career history, professional background, professional history,
    academic appointments, appointments, positions held, professional activity, what i have done, experience and employment,
    beruflicher werdegang, akademischer werdegang, werdegang, berufliche laufbahn, berufspraxis, praxis, praktische erfahrung,
    berufliche stationen, tatigkeiten, parcours professionnel, parcours, emplois, carriere, trayectoria profesional, trayectoria,
    historial laboral, vida laboral, empleo, percorso professionale, carriera, impieghi, historico profissional,
    percurso profissional, atuacao profissional, carreira, loopbaan, werk, przebieg kariery, kariera, zatrudnienie,
    przebieg zatrudnienia, anstallningar, anstallning, arbete, ansaettelser, beskaeftigelse, prubeh praxe, praxe, zamestnani,
    pracovni historie, tyohistoria, tyokokemus, munkahelyek, szakmai tapasztalat, experienta, is deneyimi, is tecrubesi`,
  education: `education, educational background, academic background, academic history, academic qualifications, qualifications,
    academics, studies, what i have studied, degrees, degrees and training, schooling, training, education and training,
    ausbildung, bildung, bildungsweg, bildungsgang, schulbildung, schule, schulischer werdegang, hochschulbildung, studium,
    studium und promotion, schule und studium, aus- und weiterbildung, berufsausbildung, akademische ausbildung,
    formation, formations, formation academique, formation et diplomes, diplomes, diplomes et formations, etudes, scolarite,
    cursus, cursus scolaire, cursus universitaire, parcours scolaire, parcours academique,
    formacion, formacion academica, formacion y estudios, educacion, estudios, titulacion, titulos, datos academicos,
    istruzione, istruzione e formazione, formazione, formazione accademica, studi, titoli di studio, percorso di studi,
    formacao, formacao academica, educacao, escolaridade, habilitacoes, habilitacoes academicas, habilitacoes literarias, estudos,
    opleiding, opleidingen, studie, scholing, onderwijs, opleiding en cursussen, wyksztalcenie, edukacja, nauka,
    utbildning, uddannelse, utdanning, utdannelse, koulutus, vzdelani, vzdelanie, studium, skola, tanulmanyok, vegzettseg,
    educatie, studii, egitim, egitim bilgileri`,
  skills: `skills, key skills, core skills, top skills, hard skills, soft skills, skill set, skills and abilities,
    core competencies, key competencies, competencies, competences, capabilities, abilities, strengths, key strengths,
    technologies, tech stack, technical stack, tools, tools and technologies, expertise, areas of expertise, specialties,
    what i can do, proficiencies, technical proficiencies, programming, software, computer literacy,
    kenntnisse, fahigkeiten, kompetenzen, fachkenntnisse, edv, edv-kenntnisse, it-kenntnisse, kenntnisse und fahigkeiten,
    besondere kenntnisse, weitere kenntnisse, top-kenntnisse, qualifikationen, fertigkeiten, starken, technologien, know-how,
    competences, competences techniques, competences cles, competences informatiques, informatique, savoir-faire, savoir faire,
    savoir-etre, atouts, outils, logiciels, domaines de competence,
    habilidades, competencias, competencias clave, aptitudes, conocimientos, destrezas, informatica, herramientas, tecnologias,
    capacidades, conocimientos informaticos, competenze, competenze tecniche, competenze personali, competenze informatiche,
    capacita, conoscenze, abilita, capacita e competenze, conoscenze informatiche, strumenti,
    competencias tecnicas, competencias informaticas, conhecimentos, aptidoes, conhecimentos tecnicos, ferramentas,
    vaardigheden, competenties, kennis, kennis en vaardigheden, computervaardigheden, kwaliteiten,
    umiejetnosci, kompetencje, znajomosc programow, umiejetnosci techniczne, narzedzia,
    kompetenser, kunskaper, fardigheter, kompetencer, faerdigheder, kompetanse, ferdigheter, osaaminen, taidot,
    dovednosti, znalosti, schopnosti, zrucnosti, keszsegek, ismeretek, competente, abilitati, yetenekler, beceriler`,
  languages: `languages, language, language skills, spoken languages, foreign languages, languages spoken, linguistic skills,
    mother tongue, mother tongue(s), other language, other languages, other language(s),
    sprachen, sprachkenntnisse, fremdsprachen, muttersprache, langues, langues etrangeres, langue maternelle, langues parlees,
    idiomas, lenguas, lengua materna, otros idiomas, lingue, lingua madre, altre lingue, lingue straniere, madrelingua,
    conoscenze linguistiche, linguas, lingua materna, outras linguas, idiomas estrangeiros, talen, talenkennis, moedertaal,
    jezyki, jezyki obce, znajomosc jezykow, znajomosc jezykow obcych, sprak, sprakkunskaper, sprog, sprogkundskaber,
    sprakkunnskaper, kielitaito, kielet, jazyky, jazykove znalosti, jazykove dovednosti, nyelvek, nyelvtudas, limbi straine,
    limbi, diller, yabanci dil, yabanci diller`,
  contact: `contact, contact details, contact information, contact info, contact me, personal details, personal information,
    personal data, personal info, personal, details, info, address, kontakt, kontaktdaten, personliche daten,
    personliche angaben, angaben zur person, zur person, adresse, coordonnees, informations personnelles, etat civil,
    contacto, datos personales, datos de contacto, informacion personal, informazioni personali, dati personali, contatti,
    contatto, recapiti, contactos, contato, dados pessoais, informacao pessoal, informacoes pessoais, personalia,
    persoonlijke gegevens, contactgegevens, gegevens, dane osobowe, dane kontaktowe, personuppgifter, kontaktuppgifter,
    personlige oplysninger, kontaktoplysninger, henkilotiedot, yhteystiedot, osobni udaje, kontaktni udaje, osobne udaje,
    szemelyes adatok, elerhetoseg, date personale, kisisel bilgiler, iletisim, links, social, online`,
  summary: `summary, profile, about, about me, who i am, professional summary, executive summary, career summary, objective,
    career objective, personal statement, professional profile, introduction, overview, highlights, headline, my life philosophy,
    life philosophy, most proud of, bio, biography, profil, kurzprofil, uber mich, zusammenfassung, profil professionnel,
    a propos, a propos de moi, qui suis-je, resume, objectif, accroche, presentation, perfil, perfil profesional, sobre mi,
    resumen, objetivo, extracto, presentacion, profilo, profilo professionale, chi sono, su di me, sommario, obiettivo,
    sobre mim, resumo, perfil profissional, objetivo profissional, apresentacao, sintese, profiel, over mij, samenvatting,
    persoonlijk profiel, podsumowanie, podsumowanie zawodowe, profil zawodowy, o mnie, cel zawodowy, sammanfattning, om mig,
    om meg, profiili, tietoa minusta, o mne, souhrn, profil, osszefoglalas, bemutatkozas, despre mine, hakkimda, ozet`,
  authorization: `work authorization, work authorisation, work eligibility, employment eligibility, eligibility, right to work,
    visa, visa status, visa and work permit, immigration status, work permit, residence status, authorization to work,
    citizenship and work authorization, arbeitserlaubnis, aufenthaltsstatus, aufenthaltstitel, visum, permis de travail,
    autorisation de travail, permiso de trabajo, permesso di lavoro, autorizacao de trabalho, visto de trabalho, werkvergunning,
    pozwolenie na prace, arbetstillstand, arbejdstilladelse, pracovni povoleni`,
  other: `projects, project, selected projects, personal projects, side projects, publications, selected publications, research,
    research interests, research experience, teaching, teaching experience, grants, patents, talks, presentations, conferences,
    certifications, certificates, certification, certifications and licenses, licenses, licences, licenses and certifications,
    awards, honors, honours, honors and awards, achievements, relevant achievements, key achievements, accomplishments,
    interests, hobbies, hobbies and interests, activities, activities and interests, extracurricular activities,
    volunteer, volunteering, volunteer experience, volunteer work, community, board memberships, memberships, affiliations,
    professional affiliations, professional development, courses, coursework, relevant coursework, references, referees,
    additional information, additional, miscellaneous, driving licence, driving license, driver's license, signature, media,
    welcome, press, exhibitions, military service, family, availability,
    projekte, publikationen, veroffentlichungen, forschung, lehre, drittmittel, vortrage, zertifikate, zertifizierungen,
    auszeichnungen, preise, ehrenamt, ehrenamtliches engagement, engagement, interessen, hobbys, hobbies und interessen,
    freizeit, weiterbildung, weiterbildungen, fortbildungen, fuhrerschein, referenzen, sonstiges, mitgliedschaften, wehrdienst,
    projets, publications, recherche, enseignement, certifications, distinctions, prix, benevolat, centres d'interet,
    centres d'interets, interets, loisirs, activites, permis, permis de conduire, references, divers, autres, stages,
    proyectos, publicaciones, investigacion, docencia, certificaciones, certificados, cursos, premios, voluntariado, intereses,
    aficiones, carnet de conducir, permiso de conducir, referencias, otros, otros datos, informacion adicional,
    progetti, pubblicazioni, ricerca, certificazioni, corsi, premi, volontariato, interessi, hobby, patente, patente di guida,
    referenze, altro, ulteriori informazioni, allegati,
    projetos, publicacoes, investigacao, certificacoes, formacao complementar, premios, interesses, passatempos,
    carta de conducao, carteira de habilitacao, cnh, referencias, outras informacoes, informacoes adicionais,
    projecten, publicaties, onderzoek, certificaten, cursussen, prijzen, vrijwilligerswerk, interesses, hobby's, hobbies,
    rijbewijs, referenties, nevenactiviteiten, overig, projekty, publikacje, certyfikaty, szkolenia, kursy, nagrody,
    wolontariat, zainteresowania, hobby, prawo jazdy, referencje, dodatkowe informacje,
    projekt, publikationer, certifikat, kurser, utmarkelser, ideellt arbete, intressen, fritidsintressen, korkort, referenser,
    referencer, interesser, frivilligt arbejde, korekort, forerkort, referanser, harrastukset, suosittelijat, luottamustoimet,
    certifikaty, zajmy, konicky, ridicsky prukaz, ridicske opravneni, reference, oceneni, hobbi, erdeklodes, referinte, hobiler`,
}

const section = (text: string, name: ResumeSection): [string, ResumeSection][] => list(text).map(p => [fold(p), name])

const PHRASE_OF: ReadonlyMap<string, ResumeSection> = new Map(
  (Object.entries(PHRASES) as [ResumeSection, string][]).flatMap(([name, text]) => section(text, name)),
)

/** Words of which one makes a heading, if every other word is one of these or of the fillers. */
const KEYS: Readonly<Partial<Record<ResumeSection, string>>> = {
  languages: 'language languages sprachen sprachkenntnisse langues idiomas lingue talen jezyki sprak sprog jazyky',
  experience: `experience experiences employment erfahrung erfahrungen berufserfahrung berufserfahrungen arbeitserfahrung
    praxiserfahrung experience experiences experiencia experiencias esperienza esperienze experiencia werkervaring ervaring
    ervaringen doswiadczenie doswiadczenia arbetslivserfarenhet yrkeserfarenhet erfarenhet erhvervserfaring erfaring
    arbeidserfaring arbejdserfaring zkusenosti skusenosti tapasztalat deneyim tecrube`,
  education: `education educational ausbildung bildung studium formation formacion istruzione formazione formacao opleiding
    opleidingen wyksztalcenie edukacja utbildning uddannelse utdanning vzdelani`,
  skills: `skills skill competencies competences expertise kenntnisse fahigkeiten kompetenzen competences competencias
    habilidades competenze conhecimentos vaardigheden umiejetnosci kompetencje kompetenser kompetencer dovednosti znalosti`,
  other: `projects certifications certificates awards publications interests hobbies references volunteering achievements
    projekte zertifikate weiterbildungen interessen projets loisirs proyectos cursos progetti projetos projecten projekty`,
}

const KEY_OF: ReadonlyMap<string, ResumeSection> = new Map(
  (Object.entries(KEYS) as [ResumeSection, string][]).flatMap(([name, text]) =>
    words(text).map(word => [word, name] as const),
  ),
)

const FILLERS: ReadonlySet<string> = new Set(
  words(`and of the my in or for & / + und der die das meine et de des la le les du mes y e ed en i og och a und the with
    work working professional professionals relevant previous prior other additional further selected key core main major
    technical personal practical industry career job academic general special specific current recent past summary history
    background overview computer digital it ict software programming programmatic language soft hard social organisational
    organizational communication management managerial leadership research teaching international background training
    professionnelle professionnelles professionnel professionnels techniques technique personnelles informatiques cles
    principales autres linguistiques academique laboral laborales profesional profesionales previa tecnicas tecnica
    informaticas digitales academica clave personales profissional profissionais tecnicos pessoais academicas
    professionale professionali lavorativa lavorative lavoro tecniche informatiche personali digitali principali altre
    beruflich berufliche beruflicher beruflichen praktische weitere besondere fachliche personliche technische relevante
    akademische sonstige zawodowe zawodowa techniczne jezykowe dodatkowe osobiste relevante overige digitale technische
    pracovni odborne jazykove osobni dalsi tekniske tekniska ovriga ovrige faglige yrkes studies diplomes estudios studi`),
)

/** Marks and numbers that decorate a heading. */
const DECORATION = /^[\s\p{P}\p{S}\d]{1,12}(?=\p{L})|[\s.:_=*#|–—~<>»«•·-]{1,80}$/gu
const SPACED_OUT = /^(?:[\p{L}&]\s){3,}[\p{L}&]$/u

/** The section that a line opens, if it is a heading and nothing else. */
export function findHeading(line: string): ResumeSection | undefined {
  if (line.length > 60) return undefined
  const bare = fold(line)
    .replace(DECORATION, '')
    .replace(/\s{1,3}&\s{1,3}/g, ' and ')
  if (bare.length < 2 || bare.length > 48) return undefined
  const phrase = PHRASE_OF.get(bare)
  if (phrase) return phrase
  // some designers space the letters out: E X P E R I E N C E
  if (SPACED_OUT.test(bare)) return PHRASE_OF.get(bare.replace(/\s/g, '')) ?? KEY_OF.get(bare.replace(/\s/g, ''))
  const parts = bare.split(/[\s/,&]+/).filter(word => word !== '')
  if (parts.length > 6) return undefined
  const keys = parts.flatMap(word => KEY_OF.get(word) ?? [])
  if (keys.length === 0 || parts.some(word => !KEY_OF.has(word) && !FILLERS.has(word))) return undefined
  return (['languages', 'experience', 'education', 'skills', 'other'] as const).find(name => keys.includes(name))
}
