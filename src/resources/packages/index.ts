export { offerPackage, publishPackage, withdrawPackage, withdrawPackagesOfVendor } from './actions.ts'
export { packageRoutes } from './routes.ts'
export {
  packageById,
  packagesById,
  packagesPage,
  type StoredPackage,
  sharePackage,
  sharePackages,
  toPackage,
} from './store.ts'
