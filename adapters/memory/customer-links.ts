import type { CustomerLinks } from '../../core/billing/ports.ts';
import { text } from './scalars.ts';

/** Links from the payment provider's customers to users, in memory. */
export const makeMemoryCustomerLinks = (): CustomerLinks => {
  const users = new Map<string, string>();

  return {
    find: async (customerId) => users.get(text(customerId)),
    link: async (customerId, userId) => {
      if (users.get(text(customerId)) === text(userId)) return false;
      users.set(customerId, userId);
      return true;
    },
    remove: async (userId) => {
      text(userId);
      for (const [customerId, user] of users) if (user === userId) users.delete(customerId);
    },
  };
};
