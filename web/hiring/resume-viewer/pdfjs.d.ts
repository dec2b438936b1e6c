declare module 'pdfjs-dist/build/pdf.min.mjs' {
  export * from 'pdfjs-dist'
}
declare module 'pdfjs-dist/build/pdf.worker.min.mjs'

interface ImportMeta {
  /** The bundler returns the addresses of files, by their paths. */
  glob(pattern: string, options: { query: '?url'; import: 'default'; eager: true }): Record<string, string>
}
