import { sql } from '../../src/kernel/db/sql.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import type { TestService } from '../harness/service.ts'

/** A sourced profile with nothing but a name. */
export async function addProfile(
  service: TestService,
  workspace: string,
  name: string | null = 'Ada',
): Promise<string> {
  const id = newHandle('sourced_profile')
  await service.services.db.query(sql`
    insert into sourced_profiles (workspace_id, id, full_name, origin, acquisition)
    values (${workspace}, ${id}, ${name}, 'xray', 'xray_search')`)
  return id
}
