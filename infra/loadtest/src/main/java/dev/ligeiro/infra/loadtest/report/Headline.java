package dev.ligeiro.infra.loadtest.report;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The sentence of the README: the best rate of {@code pay} in the newest run. Pure. */
public final class Headline {

    private Headline() {}

    /** The best rate that counts, else the best rate and the reason why it does not count. Empty without a run of pay. */
    public static Optional<String> of(List<Report> reports) {
        return reports.stream()
                .sorted(Comparator.comparing(Report::startedAt).reversed())
                .flatMap(report -> report.scenarios().stream()
                        .filter(scenario -> scenario.scenario().equals("pay"))
                        .flatMap(pay -> pay.steps().stream()
                                .max(Comparator.comparing((StepResult step) ->
                                                pay.counts(step).equals("yes"))
                                        .thenComparing(step -> step.cost().rate()))
                                .map(best -> text(report, best, pay.counts(best)))
                                .stream()))
                .findFirst();
    }

    private static String text(Report report, StepResult best, String counts) {
        return String.format(
                Locale.ROOT,
                "The last full run (%s, commit %s) created, paid and announced %,.0f transactions a second on %d"
                        + " cores, audited%s.%n",
                report.startedAt().substring(0, 10),
                report.versions().commitText(),
                best.cost().rate(),
                report.machine().cores(),
                counts.equals("yes") ? "" : "; this figure does not count (" + counts.substring(4) + ")");
    }
}
