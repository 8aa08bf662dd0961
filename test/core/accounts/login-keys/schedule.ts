/** What may happen next: an actor makes its next call, or its process dies before it. */
export interface Choice {
  readonly actor: number;
  readonly dies: boolean;
}

/** Something that waits for its turn before each of its calls. */
export type Program<T> = (turn: () => Promise<void>) => Promise<T>;

interface Actor<T> {
  isLive: boolean;
  /** Makes the call for which it waits, and goes on to the next one or to the end. */
  step(): Promise<void>;
  readonly outcome: () => T | undefined;
}

const startActor = async <T>(program: Program<T>): Promise<Actor<T>> => {
  let goOn = () => {};
  let halted = () => {};
  let outcome: T | undefined;
  /** Runs until the next wait, or to the end. */
  const untilHalt = (run: () => void) =>
    new Promise<void>((resolve) => {
      halted = resolve;
      run();
    });
  const actor: Actor<T> = {
    isLive: true,
    step: () => untilHalt(() => goOn()),
    outcome: () => outcome,
  };
  await untilHalt(() => {
    const turn = () =>
      new Promise<void>((resolve) => {
        goOn = resolve;
        halted();
      });
    void program(turn).then((result) => {
      outcome = result;
      actor.isLive = false;
      halted();
    });
  });
  return actor;
};

/** How far orders may differ: programs may hold each other up for ever. */
export interface Bounds {
  /** How often another actor goes on while the one before could. */
  readonly switches: number;
  readonly deaths: number;
}

/**
 * Runs the programs one call at a time, in the order that `choose` says, until each is done or dead. Gives what each came
 * to; undefined for a dead one. `isSound` is called after each call.
 */
export const runInOrder = async <T>(
  programs: readonly Program<T>[],
  choose: (choices: readonly Choice[]) => Choice,
  bounds: Bounds,
  isSound: () => Promise<void>,
): Promise<readonly (T | undefined)[]> => {
  const actors = await Promise.all(programs.map(startActor));
  let { switches, deaths } = bounds;
  let last = -1;
  for (;;) {
    const live = actors.flatMap((actor, place) => (actor.isLive ? [place] : []));
    if (live.length === 0) return actors.map(({ outcome }) => outcome());
    const mayGoOn = live.includes(last);
    const next = mayGoOn ? live.filter((place) => place === last || switches > 0) : live;
    const steps = next.map((actor) => ({ actor, dies: false }));
    // A death later is the same, as long as it makes no call.
    const ends = mayGoOn && deaths > 0 ? [{ actor: last, dies: true }] : [];
    const choice = choose([...steps, ...ends]);
    const actor = actors[choice.actor];
    if (actor === undefined) throw new Error('There is no such actor.');
    if (mayGoOn && choice.actor !== last) switches -= 1;
    last = choice.actor;
    if (choice.dies) {
      actor.isLive = false;
      deaths -= 1;
    } else await actor.step();
    await isSound();
  }
};

/** Calls `run` once for every order that there is; says how many. `run` asks for each choice until it ends. */
export const inEveryOrder = async (
  run: (choose: (choices: readonly Choice[]) => Choice) => Promise<void>,
): Promise<number> => {
  let taken: { place: number; of: number }[] = [];
  for (let count = 1; ; count += 1) {
    let depth = 0;
    await run((choices) => {
      taken[depth] ??= { place: 0, of: choices.length };
      const { place = 0 } = taken[depth] ?? {};
      depth += 1;
      return choices[place] ?? { actor: 0, dies: false };
    });
    const last = taken.findLastIndex(({ place, of }) => place + 1 < of);
    if (last === -1) return count;
    taken = taken.slice(0, last + 1).map((one, at) => (at === last ? { ...one, place: one.place + 1 } : one));
  }
};
