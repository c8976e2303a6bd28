// What this machine can do, what it is doing, and how programs reach it.
import { useEffect } from "preact/hooks";
import { textsOf } from "../../i18n/i18n.ts";
import { system as en } from "../../i18n/en/system.ts";
import { system as de } from "../../i18n/de/system.ts";
import { reconnections } from "../../state/connection.ts";
import { Button } from "../../ui/button.tsx";
import { FailureText } from "../../ui/failure.tsx";
import { Loading } from "../../ui/loading.tsx";
import { useTitle } from "../../ui/title.ts";
import { ApiSamples } from "./api_samples.tsx";
import { Machine } from "./machine.tsx";
import { doctor, loadAll } from "./machine_state.ts";
import { Work } from "./work.tsx";

const texts = textsOf({ en, de });

export function System() {
  const rounds = reconnections.value;
  useEffect(() => void loadAll(), [rounds]);
  useTitle(texts.title);
  return (
    <>
      <div class="row title-row">
        <h1>{texts.title}</h1>
        <Button onClick={() => void loadAll()}>
          {texts.again}
        </Button>
      </div>
      <Checked />
      <Work />
      <ApiSamples />
    </>
  );
}

function Checked() {
  const answer = doctor.value;
  if (answer === null) {
    return (
      <div class="examining">
        <Loading />
      </div>
    );
  }
  return answer.ok ? <Machine report={answer.value} /> : <FailureText failure={answer.error} />;
}
