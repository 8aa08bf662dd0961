/** A possible next event: an actor makes its next call, or its process dies before the call. */
export interface Choice {
  readonly actor: number;
  readonly dies: boolean;
}

/** A program that waits for its turn before each of its calls. */
export type Program<T> = (turn: () => Promise<void>) => Promise<T>;

interface Actor<T> {
  isLive: boolean;
  /** Makes the pending call, and runs up to the next call or to the end. */
  step(): Promise<void>;
  readonly outcome: () => T | undefined;
}

const startActor = async <T>(program: Program<T>): Promise<Actor<T>> => {
  let resume = () => {};
  let signalHalt = () => {};
  let outcome: T | undefined;
  /** Runs until the next wait, or to the end. */
  const untilHalt = (run: () => void) =>
    new Promise<void>((resolve) => {
      signalHalt = resolve;
      run();
    });
  const actor: Actor<T> = {
    isLive: true,
    step: () => untilHalt(() => resume()),
    outcome: () => outcome,
  };
  await untilHalt(() => {
    const turn = () =>
      new Promise<void>((resolve) => {
        resume = resolve;
        signalHalt();
      });
    void program(turn).then((result) => {
      outcome = result;
      actor.isLive = false;
      signalHalt();
    });
  });
  return actor;
};

/** Limits on the orders, because two programs can make each other retry for ever. */
export interface Bounds {
  /** How often another actor may run although the last one could continue. */
  readonly switches: number;
  readonly deaths: number;
}

/**
 * Runs the programs one call at a time, in the order of `choose`, until each has ended or died. Returns their outcomes;
 * undefined for a dead one. `expectSound` is called after each call.
 */
export const runInOrder = async <T>(
  programs: readonly Program<T>[],
  choose: (choices: readonly Choice[]) => Choice,
  bounds: Bounds,
  expectSound: () => Promise<void>,
): Promise<readonly (T | undefined)[]> => {
  const actors = await Promise.all(programs.map(startActor));
  let { switches, deaths } = bounds;
  let last = -1;
  for (;;) {
    const live = actors.flatMap((actor, place) => (actor.isLive ? [place] : []));
    if (live.length === 0) return actors.map(({ outcome }) => outcome());
    const canContinue = live.includes(last);
    const next = canContinue ? live.filter((place) => place === last || switches > 0) : live;
    const steps = next.map((actor) => ({ actor, dies: false }));
    // An actor dies right after its call: a later death without another call has the same effect.
    const ends = canContinue && deaths > 0 ? [{ actor: last, dies: true }] : [];
    const choice = choose([...steps, ...ends]);
    const actor = actors[choice.actor];
    if (actor === undefined) throw new Error('The chosen actor does not exist.');
    if (canContinue && choice.actor !== last) switches -= 1;
    last = choice.actor;
    if (choice.dies) {
      actor.isLive = false;
      deaths -= 1;
    } else await actor.step();
    await expectSound();
  }
};

/** Calls `run` once for every order, with a function that makes each choice. Returns the number of orders. */
export const inEveryOrder = async (
  run: (choose: (choices: readonly Choice[]) => Choice) => Promise<void>,
): Promise<number> => {
  let path: { place: number; of: number }[] = [];
  for (let count = 1; ; count += 1) {
    let depth = 0;
    await run((choices) => {
      path[depth] ??= { place: 0, of: choices.length };
      const { place = 0 } = path[depth] ?? {};
      depth += 1;
      return choices[place] ?? { actor: 0, dies: false };
    });
    const last = path.findLastIndex(({ place, of }) => place + 1 < of);
    if (last === -1) return count;
    path = path
      .slice(0, last + 1)
      .map((step, at) => (at === last ? { ...step, place: step.place + 1 } : step));
  }
};
