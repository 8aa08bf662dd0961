const load = async () => {
  const [{ JOSEError }, { SignJWT }, { jwtVerify }] = await Promise.all([
    import('jose/errors'),
    import('jose/jwt/sign'),
    import('jose/jwt/verify'),
  ]);
  return { JOSEError, SignJWT, jwtVerify };
};

let loaded: ReturnType<typeof load> | undefined;

/** Loaded with the first token: it would be a tenth of the start. */
export const loadJose = () => {
  loaded ??= load();
  return loaded;
};
