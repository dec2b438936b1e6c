export { type BackupProgress, backUp, restoreBackup, withBackupLock } from './actions.ts'
