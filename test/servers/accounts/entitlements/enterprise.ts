import type { TestService, User } from '../../../support/service.ts';

/** Grants a user the tier by the internal secret. */
export const grantTier = async (service: TestService, { token }: User, tier: string): Promise<void> => {
  const [secret = ''] = service.composition.internalSecrets;
  const { status } = await service.post(
    '/api/services',
    { service: 'DROP', tier },
    { token, headers: { 'x-internal-secret': secret } },
  );
  if (status !== 200) throw new Error(`The tier was not granted: ${status}.`);
};

/** A user on the enterprise tier, logged in. */
export const signUpEnterprise = async (service: TestService): Promise<User> => {
  const user = await service.signUp();
  await grantTier(service, user, 'enterprise');
  return user;
};
