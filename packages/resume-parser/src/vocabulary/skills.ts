import { fold, list } from './words.ts'

/** Names of groups of skills that stand on a line of their own. */
export const SKILL_GROUPS: ReadonlySet<string> = new Set(
  list(`programming, programming languages, languages, frameworks, libraries, tools, technologies, databases, cloud, devops,
    frontend, backend, front end, back end, infrastructure, operating systems, software, hardware, methods, methodologies,
    soft skills, hard skills, technical, technical skills, personal skills, other, others, testing, mobile, web, data, design,
    security, familiar, proficient, advanced, intermediate, basic, expert, edv, fachkenntnisse, sonstiges, programmiersprachen,
    werkzeuge, methoden, informatique, logiciels, langages, outils, autres, lenguajes, herramientas, otros, software,
    linguaggi, strumenti, altro, ferramentas, linguagens, outros, programma's, jezyki programowania, narzedzia, inne`).map(
    fold,
  ),
)

const LEVEL =
  /^(?:(?:over|more than|>)?\s?\d{1,2}\+?\s?(?:years?|yrs?|jahre?|ans?|años?|anni|anno|jaar|anos?|lat|lata|let|år)\b.*|expert\p{L}*|advanced|intermediate|basic|beginner|proficient|fluent|native|good|very good|excellent|master|sehr gut|gut|grundkenntnisse|fortgeschritten|experte|bon|bonne|avancé|intermédiaire|débutant|courant|avanzado|intermedio|básico|nativo|experto|avanzato|base|buono|ottimo|avançado|intermédio|intermediário|goed|uitstekend|gemiddeld|basis|zaawansowany|podstawowy|dobry|[abc][12])$/iu

/** Whether a text says how well, not what. */
export const isLevel = (text: string): boolean => LEVEL.test(text.trim())

/** Skills looked for in the running text of a résumé that lists none. */
export const KNOWN_SKILLS: readonly string[] = list(
  'TypeScript, JavaScript, Python, Java, Kotlin, Swift, Go, Rust, C++, C#, Ruby, PHP, Scala, Elixir, SQL, PostgreSQL, MySQL, MongoDB, Redis, Kafka, RabbitMQ, Elasticsearch, GraphQL, REST, Node.js, React, Vue, Angular, Svelte, Next.js, Django, Flask, FastAPI, Spring, Rails, Laravel, .NET, Docker, Kubernetes, Terraform, Ansible, AWS, Azure, GCP, Linux, Git, CI/CD, Jenkins, Spark, Hadoop, Airflow, dbt, Snowflake, BigQuery, Tableau, Power BI, Excel, SAP, Salesforce, Figma, Sketch, Photoshop, Illustrator, SEO, Google Analytics, HubSpot, Jira, Scrum, Agile, Kanban, Machine learning, Deep learning, PyTorch, TensorFlow, Pandas, NumPy, R, MATLAB, AutoCAD, SolidWorks, Accounting, Payroll, Recruiting, Negotiation, Copywriting, Project management, Product management',
)
