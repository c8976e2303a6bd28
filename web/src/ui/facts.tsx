// A list of facts: what each is, and its value.
export type FactRow = [name: string, value: string];

export function Facts({ rows }: { rows: readonly FactRow[] }) {
  return (
    <dl class="facts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
