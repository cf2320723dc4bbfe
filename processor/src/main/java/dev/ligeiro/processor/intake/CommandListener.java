package dev.ligeiro.processor.intake;

import dev.ligeiro.message.InvalidMessage;
import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.Topics;
import dev.ligeiro.processor.apply.Origins;
import dev.ligeiro.processor.decide.Batch;
import dev.ligeiro.processor.decide.CommandOutcome;
import dev.ligeiro.processor.decide.Unprocessable;
import dev.ligeiro.support.TransientFault;
import dev.ligeiro.support.kafka.DeadLetter;
import dev.ligeiro.support.kafka.DeadLetters;
import dev.ligeiro.support.kafka.IntakeProperties;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

/**
 * Receives batches of commands from Kafka. When it returns, each record of the batch is processed or a dead letter, and the offsets are
 * committed. It throws for transient faults only; Kafka then redelivers the whole batch.
 */
@Component
class CommandListener {

    static final String ID = "commands";

    private static final Logger LOG = LoggerFactory.getLogger(CommandListener.class);

    private final ProcessCommands processCommands;
    private final DeadLetters deadLetterTopic;
    private final IntakeMetrics metrics;
    private final IntakeTraces traces;
    private final Duration batchTimeout;

    CommandListener(
            ProcessCommands processCommands,
            DeadLetters deadLetterTopic,
            IntakeMetrics metrics,
            IntakeTraces traces,
            IntakeProperties properties) {
        this.processCommands = processCommands;
        this.deadLetterTopic = deadLetterTopic;
        this.metrics = metrics;
        this.traces = traces;
        this.batchTimeout = properties.batchTimeout();
    }

    /** Blocks until the batch is processed: an asynchronous listener would lose the order within a partition. */
    @KafkaListener(id = ID, idIsGroup = false, topics = Topics.COMMANDS, autoStartup = "false")
    void onBatch(List<ConsumerRecord<byte[], byte[]>> records) {
        long startedNanos = System.nanoTime();
        Instant startedAt = traces.now();
        List<DeadLetter> deadLetters = new ArrayList<>();
        List<ReceivedCommand> commands = read(records, deadLetters);
        process(commands, deadLetters);
        deadLetterTopic.write(deadLetters).block(batchTimeout);
        Duration duration = Duration.ofNanos(System.nanoTime() - startedNanos);
        metrics.batchDone(records.size(), duration);
        traces.batchDone(commands, startedAt, duration);
        LOG.atDebug()
                .addKeyValue("event.action", "batch_processed")
                .addKeyValue("records", records.size())
                .addKeyValue("dead_letters", deadLetters.size())
                .addKeyValue("duration_ms", duration.toMillis())
                .log("A batch of commands is processed");
    }

    private static List<ReceivedCommand> read(
            List<ConsumerRecord<byte[], byte[]>> records, List<DeadLetter> deadLetters) {
        List<ReceivedCommand> commands = new ArrayList<>(records.size());
        for (ConsumerRecord<byte[], byte[]> record : records) {
            try {
                commands.add(new ReceivedCommand(MessageJson.readCommand(record.value()), record));
            } catch (InvalidMessage invalid) {
                deadLetters.add(DeadLetter.invalid(record, invalid));
            }
        }
        return commands;
    }

    /** Halves a batch with a permanent fault until the record that causes it is alone, so that it does not block the others. */
    private void process(List<ReceivedCommand> commands, List<DeadLetter> deadLetters) {
        if (commands.isEmpty()) {
            return;
        }
        try {
            processTogether(commands, deadLetters);
        } catch (RuntimeException fault) {
            if (isTransient(fault)) {
                throw fault;
            }
            if (commands.size() == 1) {
                deadLetters.add(failed(commands.get(0), fault));
                return;
            }
            int half = commands.size() / 2;
            process(commands.subList(0, half), deadLetters);
            process(commands.subList(half, commands.size()), deadLetters);
        }
    }

    private void processTogether(List<ReceivedCommand> commands, List<DeadLetter> deadLetters) {
        Origins origins = new Origins();
        commands.forEach(received -> origins.add(received.command(), received.origin()));
        Batch batch = processCommands
                .process(commands.stream().map(ReceivedCommand::command).toList(), origins)
                .block(batchTimeout);
        if (batch == null) {
            throw new IllegalStateException("batch: none");
        }
        batch.runs().forEach(metrics::countRun);
        for (ReceivedCommand received : commands) {
            Unprocessable reason = batch.unprocessable().get(received.command().transactionId());
            if (reason != null) {
                deadLetters.add(unprocessable(received, reason));
            }
        }
    }

    private DeadLetter unprocessable(ReceivedCommand received, Unprocessable reason) {
        metrics.countCommand(received.command(), CommandOutcome.UNPROCESSABLE);
        return DeadLetter.refused(received.source(), reason);
    }

    private DeadLetter failed(ReceivedCommand received, RuntimeException fault) {
        metrics.countCommand(received.command(), CommandOutcome.UNPROCESSABLE);
        return DeadLetter.failed(received.source(), fault);
    }

    private static boolean isTransient(RuntimeException fault) {
        return fault instanceof TransientFault
                // block(timeout) throws these after a time-out and when the service stops
                || fault.getCause() instanceof TimeoutException
                || fault.getCause() instanceof InterruptedException;
    }
}
