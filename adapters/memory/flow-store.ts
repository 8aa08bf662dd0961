import type { Flow, FlowStore } from '../../core/accounts/flow.ts';
import { due, kept } from './records.ts';
import { text, whole } from './scalars.ts';

/** Trips to providers, and what was used up, in memory. */
export const makeMemoryFlowStore = (flows: Map<string, Flow>): FlowStore => {
  const put = (flow: Flow) => {
    for (const time of [flow.expiresAt, flow.keptUntil]) whole(time);
    flows.set(text(flow.id), kept(flow));
  };
  const live = (id: string, now: number) => {
    const found = flows.get(text(id));
    return found !== undefined && found.expiresAt > whole(now) ? found : undefined;
  };

  return {
    add: async (flow) => {
      if (flows.has(text(flow.id))) return false;
      put(flow);
      return true;
    },
    find: async (id, now) => live(id, now),
    step: async ({ id, from, to, codeDigest, expiresAt }, now) => {
      const found = live(id, now);
      if (found === undefined || found.stage !== from) return false;
      if (codeDigest !== undefined && found.codeDigest !== text(codeDigest)) return false;
      put({ ...found, stage: to, expiresAt });
      return true;
    },
    count: async () => flows.size,
    sweep: async (now, limit) => {
      const over = due([...flows.values()], ({ keptUntil }) => keptUntil, now, limit);
      for (const { id } of over) flows.delete(id);
      return over.length;
    },
  };
};
