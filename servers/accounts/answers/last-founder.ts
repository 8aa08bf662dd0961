/** The 409 of what would leave no founder among the operators. */
export const lastFounder = {
  description: 'The last founder would be none any more: appoint another one first.',
  errors: ['last_founder'],
} as const;
