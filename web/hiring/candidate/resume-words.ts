const FILE_FAULTS: Readonly<Record<string, string>> = {
  no_text: 'it has no text, or is a scan',
  encrypted: 'it needs a password',
  unsupported: 'it is not a PDF, Word, RTF or text document',
  too_large: 'its content is too large',
  timeout: 'reading it took too long',
  unreadable: 'it is damaged',
}

/** Without a reason where the file is not at fault, or the reason is not known. */
export const whyUnreadable = (error: string | null): string => {
  const fault = FILE_FAULTS[error ?? '']
  return `The file could not be read${fault ? `: ${fault}` : ''}. It can be downloaded under Files.`
}
