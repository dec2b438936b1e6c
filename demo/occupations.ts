// What people in the demo do for a living. The words of a job posting and of a résumé come from the same place, so that
// matching one with the other gives sensible scores.

export type Level = 'intern' | 'junior' | 'mid' | 'senior' | 'lead' | 'principal'

export const LEVELS: readonly Level[] = ['intern', 'junior', 'mid', 'senior', 'lead', 'principal']

export interface Occupation {
  name: string
  title: string
  department: string
  degree: string
  skills: readonly string[]
  /** Lines that a job posting may have. */
  duties: readonly string[]
  /** Lines that a résumé may have. */
  achievements: readonly string[]
}

const occupation = (
  name: string,
  title: string,
  department: string,
  degree: string,
  skills: string,
  duties: readonly string[],
  achievements: readonly string[],
): Occupation => ({ name, title, department, degree, skills: skills.split(', '), duties, achievements })

const ALL: readonly Occupation[] = [
  occupation(
    'robotics',
    'Robotics Software Engineer',
    'Engineering',
    'Robotics',
    'ROS 2, C++, Python, Motion planning, Localization, Linux, Gazebo, Docker, Kalman filters, CMake, Git',
    ['Build motion planning for mobile manipulators', 'Bring software from simulation to the factory floor'],
    ['Shipped the navigation stack of a fleet of 120 robots', 'Cut path planning time by 40 percent'],
  ),
  occupation(
    'perception',
    'Perception Engineer',
    'Engineering',
    'Computer Science',
    'PyTorch, Computer vision, Python, C++, Lidar, Sensor fusion, CUDA, Dataset curation, OpenCV, MLOps',
    ['Train and ship models that find pallets, people and shelves', 'Own the data pipeline from sensor to label'],
    ['Trained a detector that reached 97 percent recall on site', 'Built a labelling pipeline for 2 million frames'],
  ),
  occupation(
    'embedded',
    'Embedded Firmware Engineer',
    'Engineering',
    'Electrical Engineering',
    'C, C++, RTOS, CAN bus, ARM Cortex-M, SPI, Oscilloscope debugging, Python, Zephyr, EtherCAT',
    ['Write firmware for motor drives and battery packs', 'Bring up new boards together with the hardware team'],
    ['Wrote the firmware of a 48 V motor drive', 'Halved the boot time of a safety controller'],
  ),
  occupation(
    'mechanical',
    'Mechanical Design Engineer',
    'Hardware',
    'Mechanical Engineering',
    'SolidWorks, FEA, GD&T, Injection moulding, Sheet metal, Prototyping, Tolerance analysis, DFM, PLM',
    ['Design grippers and enclosures for volume production', 'Run tolerance studies and release drawings'],
    ['Designed a gripper that is made 4,000 times a year', 'Took 18 percent of the weight out of a chassis'],
  ),
  occupation(
    'controls',
    'Controls Engineer',
    'Engineering',
    'Control Engineering',
    'MATLAB, Simulink, PID tuning, Model predictive control, C++, EtherCAT, PLC, System identification, Python',
    ['Design and tune controllers for arms and drives', 'Model the plant and prove the margins'],
    ['Tuned the joint controllers of a six-axis arm', 'Brought settling time below 80 milliseconds'],
  ),
  occupation(
    'manufacturing',
    'Manufacturing Technician',
    'Operations',
    'Mechatronics',
    'Soldering, Assembly, Lean, Cable harnesses, Torque tools, ISO 9001, Work instructions, Forklift licence',
    ['Assemble and test robots to written instructions', 'Find the cause of defects and help to remove it'],
    ['Built and tested 300 mobile bases', 'Wrote the work instructions of two assembly cells'],
  ),
  occupation(
    'reliability',
    'Site Reliability Engineer',
    'Engineering',
    'Computer Science',
    'Kubernetes, Terraform, Go, PostgreSQL, Prometheus, Linux, AWS, Incident response, Python, Networking',
    ['Run the cloud side of a robot fleet', 'Make incidents rare, short and well understood'],
    ['Brought the paging rate down from 30 to 4 a week', 'Moved 60 services to Kubernetes without downtime'],
  ),
  occupation(
    'frontend',
    'Frontend Engineer',
    'Engineering',
    'Computer Science',
    'TypeScript, React, CSS, Accessibility, GraphQL, Testing, WebSockets, Design systems, Node.js, Vite',
    ['Build the console that operators look at all day', 'Keep it fast, accessible and calm'],
    ['Rebuilt an operator console used in 45 warehouses', 'Raised the accessibility score to 100'],
  ),
  occupation(
    'data',
    'Data Analyst',
    'Data',
    'Statistics',
    'SQL, Python, dbt, Tableau, Statistics, Experiment design, Airflow, Excel, BigQuery, Storytelling',
    ['Answer questions about fleet performance with data', 'Own the weekly figures and their definitions'],
    ['Built the reporting of a fleet of 900 vehicles', 'Found the cause of a 12 percent drop in throughput'],
  ),
  occupation(
    'design',
    'Product Designer',
    'Product',
    'Interaction Design',
    'Figma, User research, Prototyping, Design systems, Accessibility, Usability testing, Information architecture',
    ['Design tools that operators understand in a minute', 'Test with real users in real warehouses'],
    ['Designed a pairing flow that cut training to one hour', 'Ran 80 usability sessions on site'],
  ),
  occupation(
    'product',
    'Product Manager',
    'Product',
    'Industrial Engineering',
    'Roadmapping, User research, SQL, Stakeholder management, Pricing, Prioritization, Experiment design, Agile',
    ['Own the roadmap of one product line', 'Talk with customers every week and write down what was learned'],
    ['Launched a fleet product in 14 countries', 'Grew the attach rate of a service plan to 62 percent'],
  ),
  occupation(
    'sales',
    'Account Executive',
    'Sales',
    'Business Administration',
    'Enterprise sales, Negotiation, CRM, Forecasting, Solution selling, Presentation, Logistics, Contracting',
    ['Win logistics customers and stay with them through roll-out', 'Keep an honest forecast'],
    ['Closed 3.2 million of new business in a year', 'Opened the first five accounts in a new region'],
  ),
  occupation(
    'success',
    'Customer Success Manager',
    'Customer Success',
    'Business Administration',
    'Onboarding, Account management, CRM, SQL, Training, Project management, Logistics, Reporting',
    ['Lead roll-outs from contract to steady use', 'Be the voice of the customer inside the company'],
    ['Held renewals at 97 percent for three years', 'Led 22 roll-outs on three continents'],
  ),
  occupation(
    'people',
    'Recruiting Coordinator',
    'People',
    'Psychology',
    'Scheduling, Sourcing, Interviewing, Applicant tracking, Communication, Employer branding, Reporting',
    ['Keep candidates informed at every step', 'Schedule interviews across four time zones'],
    ['Scheduled 1,400 interviews in a year', 'Brought the time to answer down to two days'],
  ),
  occupation(
    'finance',
    'Financial Analyst',
    'Finance',
    'Economics',
    'Excel, Financial modelling, Forecasting, SQL, Budgeting, IFRS, Reporting, ERP',
    ['Build the monthly forecast', 'Help teams to understand what things cost'],
    ['Built the cost model of a hardware product', 'Shortened the monthly close from nine days to four'],
  ),
  occupation(
    'supply',
    'Supply Chain Planner',
    'Operations',
    'Logistics',
    'Demand planning, ERP, Excel, Procurement, Inventory management, SQL, Negotiation, Incoterms',
    ['Plan parts for three product lines', 'Find second sources before they are needed'],
    ['Cut stock-outs of long-lead parts by half', 'Brought inventory down by 1.8 million'],
  ),
]

export const OCCUPATIONS: ReadonlyMap<string, Occupation> = new Map(ALL.map(entry => [entry.name, entry]))

export const occupationNamed = (name: string): Occupation => {
  const found = OCCUPATIONS.get(name)
  if (!found) throw new Error(`no occupation ${name}`)
  return found
}

export const titleAt = (level: Level, title: string): string => {
  if (level === 'mid') return title
  if (level === 'intern') return `${title} Intern`
  return `${level[0]!.toUpperCase()}${level.slice(1)} ${title}`
}

/** Years of work, at least and at most. */
export const EXPERIENCE: Readonly<Record<Level, readonly [number, number]>> = {
  intern: [0, 1],
  junior: [1, 3],
  mid: [3, 6],
  senior: [6, 10],
  lead: [8, 14],
  principal: [12, 20],
}
