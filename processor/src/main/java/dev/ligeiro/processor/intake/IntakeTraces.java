package dev.ligeiro.processor.intake;

import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.support.observe.Traces;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanKind;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.springframework.stereotype.Component;

/** Adds the processing of a command to the trace of the request that caused it. The span is that of the whole batch. */
@Component
class IntakeTraces {

    private final Traces traces;
    private final Clock clock;

    IntakeTraces(Traces traces, Clock clock) {
        this.traces = traces;
        this.clock = clock;
    }

    Instant now() {
        return clock.instant();
    }

    void batchDone(List<ReceivedCommand> commands, Instant from, Duration duration) {
        if (traces.isOn()) {
            commands.forEach(received -> add(received, from, duration));
        }
    }

    private void add(ReceivedCommand received, Instant from, Duration duration) {
        TransactionCommand command = received.command();
        traces.add(
                received.origin(),
                "command " + command.code(),
                SpanKind.CONSUMER,
                Attributes.builder()
                        .put("ligeiro.transaction_id", command.transactionId().toString())
                        .build(),
                from,
                from.plus(duration));
    }
}
