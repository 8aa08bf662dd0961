import type { Accounts } from '../../../core/index.ts';
import { type AnswerOf, answerOf, type ObjectSchema } from '../../http/schema.ts';
import { flag, isTrue, message } from './parts.ts';

const domain = { type: 'string', description: 'In A-labels', examples: ['files.ada.dev'] } as const;

const verification = {
  type: 'object',
  title: 'DomainVerification',
  description: 'The TXT record to add',
  properties: {
    type: { type: 'string', const: 'TXT' },
    name: { type: 'string', examples: ['_drop-verification.files.ada.dev'] },
    value: { type: 'string', examples: ['q3Zx0o3l2l8d7cFQn1c9m5y5u3gq1r7v0tJ8w2kYbXo'] },
  },
  required: ['type', 'name', 'value'],
} as const satisfies ObjectSchema;

export const domainResponse = answerOf<AnswerOf<Accounts['showCustomDomain']>>()({
  type: 'object',
  properties: {
    customDomain: { type: ['string', 'null'], examples: domain.examples },
    customDomainVerified: flag('Whether its TXT record was found'),
    hasCustomDomain: flag('Whether one is set', true),
    verification,
  },
  required: ['customDomain', 'customDomainVerified', 'hasCustomDomain'],
});

export const domainSetResponse = answerOf<AnswerOf<Accounts['setCustomDomain']>>()({
  type: 'object',
  properties: {
    success: isTrue,
    domain,
    message: message('The domain is set. Add the TXT record to its DNS, then have it verified.'),
    verification,
  },
  required: ['success', 'domain', 'message', 'verification'],
});

export const domainRemovedResponse = answerOf<AnswerOf<Accounts['removeCustomDomain']>>()({
  type: 'object',
  properties: { success: isTrue, message: message('No domain is set.') },
  required: ['success', 'message'],
});

export const domainVerifiedResponse = answerOf<AnswerOf<Accounts['verifyCustomDomain']>>()({
  type: 'object',
  properties: { success: isTrue, domain, message: message('The domain is verified.') },
  required: ['success', 'domain', 'message'],
});
