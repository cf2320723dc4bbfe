package dev.ligeiro.processor.intake;

import dev.ligeiro.message.InvalidMessage;
import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.Topics;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.ProcessorMemoryBudget;
import dev.ligeiro.processor.apply.Origins;
import dev.ligeiro.processor.decide.Batch;
import dev.ligeiro.processor.decide.CommandOutcome;
import dev.ligeiro.processor.decide.CommandRun;
import dev.ligeiro.processor.intake.ProcessCommands.Processed;
import dev.ligeiro.support.TransientFault;
import dev.ligeiro.support.kafka.DeadLetter;
import dev.ligeiro.support.kafka.DeadLetters;
import dev.ligeiro.support.kafka.IntakeProperties;
import dev.ligeiro.support.observe.Traces;
import dev.ligeiro.support.work.BatchBytes;
import dev.ligeiro.transaction.TransactionId;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanKind;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
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
    private final MeterRegistry meters;
    private final DistributionSummary batchSize;
    private final Timer batchDuration;
    private final Traces traces;
    private final Clock clock;
    private final Duration batchTimeout;
    private final LongHistories longHistories = new LongHistories();
    private final BatchBytes bytes = new BatchBytes(ProcessorMemoryBudget.FIRST_PART, ProcessorMemoryBudget.PART);

    CommandListener(
            ProcessCommands processCommands,
            DeadLetters deadLetterTopic,
            MeterRegistry meters,
            Traces traces,
            Clock clock,
            IntakeProperties properties) {
        this.processCommands = processCommands;
        this.deadLetterTopic = deadLetterTopic;
        this.meters = meters;
        this.batchSize = DistributionSummary.builder("ligeiro.intake.batch.size")
                .baseUnit("records")
                .description("Records of a batch")
                .register(meters);
        this.batchDuration = Timer.builder("ligeiro.intake.batch.duration")
                .description("From the arrival of a batch until its changes are stored and its events acknowledged")
                .register(meters);
        this.traces = traces;
        this.clock = clock;
        this.batchTimeout = properties.batchTimeout();
    }

    /** Blocks until the batch is processed: an asynchronous listener would lose the order within a partition. */
    @KafkaListener(id = ID, idIsGroup = false, topics = Topics.COMMANDS, autoStartup = "false")
    void onBatch(List<ConsumerRecord<byte[], byte[]>> records) {
        long startedNanos = System.nanoTime();
        Instant startedAt = clock.instant();
        List<DeadLetter> deadLetters = new ArrayList<>();
        List<ReceivedCommand> commands = read(records, deadLetters);
        for (List<ReceivedCommand> some : longHistories.last(commands)) {
            List<ReceivedCommand> left = some;
            while (!left.isEmpty()) {
                left = processSome(left, deadLetters);
            }
        }
        deadLetterTopic.write(deadLetters).block(batchTimeout);
        bytes.batchDone();
        Duration duration = Duration.ofNanos(System.nanoTime() - startedNanos);
        batchSize.record(records.size());
        batchDuration.record(duration);
        if (traces.isOn()) {
            commands.forEach(received -> addSpan(received, startedAt, duration));
        }
        LOG.atDebug()
                .addKeyValue("event.action", "batch_processed")
                .addKeyValue("records", records.size())
                .addKeyValue("dead_letters", deadLetters.size())
                .addKeyValue("duration_ms", duration.toMillis())
                .log("A batch of commands is processed");
    }

    /** Adds the command to the trace of the request that caused it. The span is that of the whole batch. */
    private void addSpan(ReceivedCommand received, Instant from, Duration duration) {
        TransactionCommand command = received.command();
        traces.add(
                received.origin(),
                "command " + command.code(),
                SpanKind.CONSUMER,
                Attributes.of(
                        AttributeKey.stringKey("ligeiro.transaction_id"),
                        command.transactionId().toString()),
                from,
                from.plus(duration));
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

    /**
     * Processes the first commands, as many as the limit of bytes allows. After a fault the limit is halved, so a record with a permanent
     * one is alone in the end and does not block the others.
     *
     * @return the commands that are left, in their order
     */
    private List<ReceivedCommand> processSome(List<ReceivedCommand> commands, List<DeadLetter> deadLetters) {
        List<ReceivedCommand> part = BatchBytes.split(commands, ReceivedCommand::bytes, bytes.limit())
                .get(0);
        List<ReceivedCommand> left = new ArrayList<>();
        try {
            Set<TransactionId> unread = processTogether(part, deadLetters);
            bytes.partDone();
            part.stream()
                    .filter(received -> unread.contains(received.command().transactionId()))
                    .forEach(left::add);
        } catch (RuntimeException fault) {
            if (isOutage(fault)) {
                throw fault;
            }
            long partBytes = part.stream().mapToLong(ReceivedCommand::bytes).sum();
            if (isTimeout(fault)) {
                bytes.partTimedOut(partBytes);
                throw fault;
            }
            bytes.partFailed(partBytes);
            if (part.size() > 1) {
                return commands;
            }
            deadLetters.add(failed(part.get(0), fault));
        }
        left.addAll(commands.subList(part.size(), commands.size()));
        return left;
    }

    /** @return the transactions that must be processed in another part, because those of this one are too large together */
    private Set<TransactionId> processTogether(List<ReceivedCommand> commands, List<DeadLetter> deadLetters) {
        Origins origins = new Origins();
        commands.forEach(received -> origins.add(received.command(), received.origin(), received.appendedAt()));
        Processed processed = processCommands
                .process(commands.stream().map(ReceivedCommand::command).toList(), origins, bytes)
                .block(batchTimeout);
        if (processed == null) {
            throw new IllegalStateException("batch: none");
        }
        Batch batch = processed.batch();
        for (CommandRun run : batch.runs()) {
            for (int i = 0; i < run.outcomes().size(); i++) {
                count(run.commands().get(i), run.outcomes().get(i));
            }
            longHistories.remember(run.stored());
        }
        for (ReceivedCommand received : commands) {
            if (batch.unprocessable().contains(received.command().transactionId())) {
                count(received.command(), CommandOutcome.TRANSACTION_NOT_FOUND);
                deadLetters.add(DeadLetter.refused(received.source(), CommandOutcome.TRANSACTION_NOT_FOUND));
            }
        }
        batch.runs().forEach(run -> addRefused(run, commands, deadLetters));
        return processed.unread();
    }

    /** The commands of a run have the order of their records. */
    private static void addRefused(CommandRun run, List<ReceivedCommand> commands, List<DeadLetter> deadLetters) {
        if (run.outcomes().stream().noneMatch(CommandOutcome.REFUSALS::contains)) {
            return;
        }
        Iterator<CommandOutcome> outcomes = run.outcomes().iterator();
        for (ReceivedCommand received : commands) {
            if (received.command().transactionId().equals(run.id())) {
                CommandOutcome outcome = outcomes.next();
                if (CommandOutcome.REFUSALS.contains(outcome)) {
                    deadLetters.add(DeadLetter.refused(received.source(), outcome));
                }
            }
        }
    }

    private void count(TransactionCommand command, CommandOutcome outcome) {
        meters.counter("ligeiro.intake.commands", "type", command.code(), "outcome", outcome.code())
                .increment();
    }

    private DeadLetter failed(ReceivedCommand received, RuntimeException fault) {
        count(received.command(), CommandOutcome.UNPROCESSABLE);
        return DeadLetter.failed(received.source(), fault);
    }

    /** Whether the fault has nothing to do with the commands. */
    private static boolean isOutage(RuntimeException fault) {
        return fault instanceof TransientFault
                // block(timeout) throws this when the service stops
                || fault.getCause() instanceof InterruptedException;
    }

    private static boolean isTimeout(RuntimeException fault) {
        return fault.getCause() instanceof TimeoutException;
    }
}
