export {
  entitlementAnswer as entitlementResponse,
  entitlementView as entitlement,
} from '../../../core/accounts/entitlement.ts';
