import { object, text } from '../../../core/schema.ts';

export const provider = text({ maxLength: 64, description: 'The provider’s id', examples: ['google'] });

export const providerParams = object({ id: provider });
