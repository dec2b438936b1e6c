export { offerPackage, publishPackage, withdrawPackage, withdrawPackagesOfVendor } from './actions.ts'
export { packageRoutes } from './routes.ts'
export { keepsOutcomeOnly } from './rules.ts'
export type { PackageKind } from './shape.ts'
export {
  packageById,
  packagesById,
  packagesPage,
  type StoredPackage,
  sharePackage,
  sharePackages,
  toPackage,
} from './store.ts'
