package dev.ligeiro.processor.intake;

import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.decide.CommandOutcome;
import dev.ligeiro.processor.decide.CommandRun;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import org.springframework.stereotype.Component;

/** The numbers of the intake. */
@Component
class IntakeMetrics {

    private final MeterRegistry meters;
    private final DistributionSummary batchSize;
    private final Timer batchDuration;

    IntakeMetrics(MeterRegistry meters) {
        this.meters = meters;
        this.batchSize = DistributionSummary.builder("ligeiro.intake.batch.size")
                .baseUnit("records")
                .description("Records a poll brought")
                .register(meters);
        this.batchDuration = Timer.builder("ligeiro.intake.batch.duration")
                .description("From a batch's arrival until all of it is stored and told")
                .register(meters);
    }

    void countRun(CommandRun run) {
        for (int i = 0; i < run.outcomes().size(); i++) {
            countCommand(run.commands().get(i), run.outcomes().get(i));
        }
    }

    void countCommand(TransactionCommand command, CommandOutcome outcome) {
        String type = command instanceof TransactionCommand.Process ? "process" : "sandbox";
        meters.counter("ligeiro.intake.commands", "type", type, "outcome", outcome.code())
                .increment();
    }

    void batchDone(int records, Duration duration) {
        batchSize.record(records);
        batchDuration.record(duration);
    }
}
