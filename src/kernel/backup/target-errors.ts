import { accessSync, constants, existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { UserError } from '../errors/user-error.ts'

const NOT_ALLOWED = 'this user has no permission there'
const NO_RESPONSE = 'its file system does not respond'

/** Explains the codes of the system to someone who reads one line in the log of a nightly job. */
const CAUSES: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on its file system',
  EDQUOT: 'the disk quota of this user is used up',
  EROFS: 'its file system is read-only',
  EACCES: NOT_ALLOWED,
  EPERM: NOT_ALLOWED,
  ENOTDIR: 'a part of its path is not a folder',
  EEXIST: 'a file is where a folder is needed',
  ENOENT: 'a folder of it is missing',
  ENAMETOOLONG: 'its path is too long',
  EIO: 'its disk reports errors',
  ESTALE: NO_RESPONSE,
  ENOTCONN: NO_RESPONSE,
  EHOSTDOWN: NO_RESPONSE,
  ETIMEDOUT: NO_RESPONSE,
}

/** A failure of the place of backups as one line that names it and the cause. */
export function targetError(place: string, error: unknown): UserError {
  if (error instanceof UserError) return error
  const { code = '', message } = error as NodeJS.ErrnoException
  const cause = CAUSES[code]
  return new UserError(`the backup target ${place} cannot be used: ${cause ? `${cause} (${code})` : message}`, {
    cause: error,
  })
}

/** The same for a folder that cannot be created. Node reports a read-only file system as a missing folder. */
export function folderError(place: string, folder: string, error: unknown): UserError {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return targetError(place, error)
  let parent = folder
  while (!existsSync(parent)) parent = dirname(parent)
  try {
    accessSync(parent, constants.W_OK)
    return targetError(place, error)
  } catch (denied) {
    return targetError(place, denied)
  }
}
