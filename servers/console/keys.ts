import { type ShownKey, shownKey } from '../../core/key-status.ts';
import { list, object } from '../../core/schema.ts';
import { ok } from '../http/response-body.ts';
import type { AnyRoute } from '../http/route.ts';
import { view } from './route-builders.ts';

export type ListKeys = () => Promise<readonly ShownKey[]>;

const keys = object({ keys: list(shownKey) }, { title: 'Keys' });

/** The keys. They are rotated at the command line, since that writes key files. */
export const keyRoutes = (listKeys: ListKeys): readonly AnyRoute[] => [
  view({
    path: '/api/admin/keys',
    summary: 'List the keys that sign and seal, with what each sealed',
    answers: { 200: { description: 'The keys.', schema: keys } },
    run: async () => ok({ keys: await listKeys() }),
  }),
];
