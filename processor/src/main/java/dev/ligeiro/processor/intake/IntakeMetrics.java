package dev.ligeiro.processor.intake;

import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.decide.CommandOutcome;
import dev.ligeiro.processor.decide.CommandRun;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import org.springframework.stereotype.Component;

/** The metrics of the intake. */
@Component
class IntakeMetrics {

    private final MeterRegistry meters;
    private final DistributionSummary batchSize;
    private final Timer batchDuration;

    IntakeMetrics(MeterRegistry meters) {
        this.meters = meters;
        this.batchSize = DistributionSummary.builder("ligeiro.intake.batch.size")
                .baseUnit("records")
                .description("Records of a batch")
                .register(meters);
        this.batchDuration = Timer.builder("ligeiro.intake.batch.duration")
                .description("From the arrival of a batch until its changes are stored and its events acknowledged")
                .register(meters);
    }

    void countRun(CommandRun run) {
        for (int i = 0; i < run.outcomes().size(); i++) {
            countCommand(run.commands().get(i), run.outcomes().get(i));
        }
    }

    void countCommand(TransactionCommand command, CommandOutcome outcome) {
        meters.counter("ligeiro.intake.commands", "type", command.code(), "outcome", outcome.code())
                .increment();
    }

    void batchDone(int records, Duration duration) {
        batchSize.record(records);
        batchDuration.record(duration);
    }
}
