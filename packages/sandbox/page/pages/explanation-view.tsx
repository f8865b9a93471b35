import type { Explanation } from '../api/types.js'
import { CopyButton } from '../parts/button.js'

/** Why an attempt verifies or does not, as the command "explain" prints it. */
export function ExplanationView({ explanation }: { readonly explanation: Explanation | undefined }) {
  if (explanation === undefined) return <p class="view-text soft">Looking for the reason.</p>
  const { report, on_purpose: onPurpose, text } = explanation
  return (
    <>
      <div class="view-tools">
        <h3>Does it verify?</h3>
        <CopyButton text={text} />
      </div>
      {onPurpose.map((sentence) => (
        <p class="view-text" key={sentence}>
          {sentence}
        </p>
      ))}
      <p class="view-text">{report.finding}</p>
      <ul class="checks" aria-label="Checks, in the order in which the verifier makes them">
        {report.checks.map(({ name, outcome, detail }) => (
          <li key={name} data-outcome={outcome}>
            <span class="check-outcome">{outcome}</span>
            <span>{name}</span>
            <span class="soft">{detail}</span>
          </li>
        ))}
      </ul>
      <details class="whole-report" open={report.hypotheses.length > 0}>
        <summary>The report as the command line prints it</summary>
        <pre class="code" tabIndex={0} aria-label="Report">
          {text}
        </pre>
      </details>
    </>
  )
}
