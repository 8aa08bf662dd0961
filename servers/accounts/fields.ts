import { SIX_DIGITS, TYPED_CODE } from '../../core/accounts/codes.ts';
import { NEW_DISPLAY_NAME } from '../../core/accounts/display-name.ts';
import { EMAIL } from '../../core/accounts/email.ts';
import { VERIFIER } from '../../core/accounts/one-time-code.ts';
import {
  credentialOf,
  PASSKEY_FLOW,
  passkeyAssertion,
} from '../../core/accounts/passkeys/check-assertion.ts';
import { PASSWORD } from '../../core/accounts/password-rules.ts';
import { FLOW_CODE } from '../../core/accounts/providers/redeem-flow-code.ts';
import { VERIFICATION_CODE } from '../../core/accounts/second-factor/submitted-factor.ts';
import type { StringSchema } from '../http/schema.ts';

// These bounds only refuse what no rule could accept. The core has the rules.

export {
  credentialOf as credential,
  EMAIL as email,
  FLOW_CODE as flowCode,
  NEW_DISPLAY_NAME as displayName,
  PASSKEY_FLOW as passkeyFlow,
  PASSWORD as password,
  passkeyAssertion as passkeyAnswer,
  SIX_DIGITS as code,
  TYPED_CODE as typedCode,
  VERIFICATION_CODE as verificationCode,
  VERIFIER as verifier,
};

export const token = {
  type: 'string',
  minLength: 1,
  maxLength: 4_096,
  examples: ['c2VjcmV0'],
} as const satisfies StringSchema;
