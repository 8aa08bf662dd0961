import type { FieldOfCode } from '../kit/form.tsx';

export const SIGN_IN_FAULTS: FieldOfCode = { invalid_email: 'email', password_required: 'password' };

export const CODE_FAULTS: FieldOfCode = { invalid_two_factor_code: 'code', code_required: 'code' };

/** The refusals of a call that proves who the user is. */
export const PROOF_FAULTS: FieldOfCode = {
  ...CODE_FAULTS,
  wrong_password: 'password',
  password_required: 'password',
};
