import { useSignal } from '@preact/signals';
import { Button } from '../../kit/button.tsx';
import { self } from '../session.ts';
import type { User } from '../shapes.ts';
import { c } from '../text.ts';
import { ActDialog } from './act-dialog.tsx';
import { ACTS, type Act } from './act-list.ts';

export interface ActsProps {
  readonly user: User;
  readonly onDone: (user: User) => void;
  readonly onGone: (receipt: object) => void;
  readonly reread: () => Promise<void>;
}

const Buttons = ({
  acts,
  onChoose,
}: {
  readonly acts: readonly Act[];
  readonly onChoose: (act: Act) => void;
}) => {
  const { list } = c().acts;
  return (
    <div class="row acts">
      {acts.map((act) => (
        <Button key={act.name} kind={act.isGrave ? 'danger' : 'plain'} onPress={() => onChoose(act)}>
          {list[act.name].name}
        </Button>
      ))}
    </div>
  );
};

/** Everything that can be done to a user, in one place. On narrow screens it is folded up. */
export const Acts = (props: ActsProps) => {
  const chosen = useSignal<Act | null>(null);
  const { acts: texts } = c();
  const fitting = ACTS.filter(({ fits }) => fits(props.user));
  const ofFounders = fitting.filter(({ forFounders }) => forFounders);
  const choose = (act: Act) => {
    chosen.value = act;
  };
  return (
    <section class="card" aria-labelledby="acts">
      <details class="sheet" open={matchMedia('(min-width: 720px)').matches}>
        <summary>
          <h2 id="acts">{texts.title}</h2>
        </summary>
        <div class="stack">
          <Buttons acts={fitting.filter(({ forFounders }) => !forFounders)} onChoose={choose} />
          {self.value?.role !== 'founder' || ofFounders.length === 0 ? null : (
            <>
              <h3>{texts.forFounders}</h3>
              <Buttons acts={ofFounders} onChoose={choose} />
            </>
          )}
        </div>
      </details>
      {chosen.value === null ? null : (
        <ActDialog
          {...props}
          act={chosen.value}
          onClose={() => {
            chosen.value = null;
          }}
        />
      )}
    </section>
  );
};
