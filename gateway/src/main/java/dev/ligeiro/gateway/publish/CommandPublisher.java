package dev.ligeiro.gateway.publish;

import dev.ligeiro.gateway.GatewayMemoryBudget;
import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.Origin;
import dev.ligeiro.message.Topics;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.support.kafka.OriginHeaders;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Sends commands to Kafka, keyed by transaction id, on its own thread: a producer may block while it looks for a broker, and an
 * event loop must not block.
 *
 * <p>It sends in rounds. After a round it waits 20 ms, and from five commands on 4 ms for each of them, 45 ms at most. The first
 * command after a wait is sent at once; at higher rates the commands of many requests share a batch, which costs Kafka, the processor and
 * the dispatcher little more than a single command. A pause of the processor between its batches lost: its consumer has fetched one batch ahead,
 * so commands waited for two pauses.
 *
 * <p>The commands of stored transactions are dropped while Kafka is unavailable, because the sweeper publishes them again. Other
 * commands are acknowledged or fail.
 */
@Component
public class CommandPublisher implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(CommandPublisher.class);
    private static final int GROUPS_QUEUED_MAX = 1_000;

    private static final long GATHERING_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long GATHERING_NANOS_OF_ONE = TimeUnit.MILLISECONDS.toNanos(4);
    private static final long GATHERING_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(45);

    private static final Duration STOP_MAX = Duration.ofSeconds(10);
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final KafkaTemplate<byte[], byte[]> kafka;
    private final Counter published;
    private final Counter leftToSweeper;
    private final BlockingQueue<Runnable> queue = new ArrayBlockingQueue<>(GROUPS_QUEUED_MAX);
    private final Semaphore storedRoom = new Semaphore(GatewayMemoryBudget.COMMANDS_QUEUED_MAX);
    private final Thread thread = new Thread(this::run, "command-publisher");
    /** Read and written by the publisher's thread only. */
    private int sentInRound;

    private volatile boolean running;
    private volatile boolean failing;
    private volatile long pausedUntilNanos;

    CommandPublisher(KafkaTemplate<byte[], byte[]> kafka, MeterRegistry registry) {
        this.kafka = kafka;
        this.published = Counter.builder("ligeiro.gateway.commands.published")
                .description("Commands that Kafka has acknowledged")
                .baseUnit("commands")
                .register(registry);
        this.leftToSweeper = Counter.builder("ligeiro.gateway.commands.left.to.sweeper")
                .description("Commands that Kafka did not take and the sweeper publishes again")
                .baseUnit("commands")
                .register(registry);
    }

    /**
     * Queues the commands of stored transactions; drops them while Kafka is unavailable or the queue is full. Never blocks or fails.
     */
    public void publishStored(List<CausedCommand> stored) {
        int count = stored.size();
        if (!storedRoom.tryAcquire(count)) {
            leftToSweeper.increment(count);
        } else if (!queue.offer(() -> sendStored(stored))) {
            storedRoom.release(count);
            leftToSweeper.increment(count);
        }
    }

    /** Sends one command. Completes when Kafka has acknowledged it; otherwise fails. */
    public Mono<Void> publish(CausedCommand command) {
        return publishAll(List.of(command));
    }

    /** Sends commands. Completes when Kafka has acknowledged all of them; otherwise fails. */
    public Mono<Void> publishAll(List<CausedCommand> commands) {
        return Mono.fromFuture(() -> {
            CompletableFuture<Void> confirmed = new CompletableFuture<>();
            if (!queue.offer(() -> sendConfirmed(commands, confirmed))) {
                confirmed.completeExceptionally(new IllegalStateException("the publisher's queue is full"));
            }
            return confirmed;
        });
    }

    private void sendStored(List<CausedCommand> stored) {
        storedRoom.release(stored.size());
        if (failing && System.nanoTime() - pausedUntilNanos < 0) {
            leftToSweeper.increment(stored.size());
            return;
        }
        for (int i = 0; i < stored.size(); i++) {
            try {
                send(stored.get(i)).whenComplete((sent, failure) -> onResult(failure));
            } catch (RuntimeException away) {
                pause(away);
                leftToSweeper.increment(stored.size() - i);
                return;
            }
        }
    }

    private void sendConfirmed(List<CausedCommand> commands, CompletableFuture<Void> confirmed) {
        if (confirmed.isDone()) {
            // the caller has stopped waiting and has been told that Kafka is away
            return;
        }
        try {
            List<CompletableFuture<?>> sent = new ArrayList<>(commands.size());
            for (CausedCommand command : commands) {
                sent.add(send(command));
            }
            CompletableFuture.allOf(sent.toArray(CompletableFuture<?>[]::new)).whenComplete((all, failure) -> {
                if (failure == null) {
                    confirmed.complete(null);
                } else {
                    confirmed.completeExceptionally(failure);
                }
            });
        } catch (RuntimeException away) {
            confirmed.completeExceptionally(away);
        }
    }

    private CompletableFuture<?> send(CausedCommand caused) {
        TransactionCommand command = caused.command();
        byte[] key = command.transactionId().toString().getBytes(StandardCharsets.US_ASCII);
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(Topics.COMMANDS, key, MessageJson.write(command));
        OriginHeaders.add(record.headers(), caused.origin());
        sentInRound++;
        return kafka.send(record);
    }

    private void onResult(@Nullable Throwable failure) {
        if (failure == null) {
            published.increment();
            failing = false;
        } else {
            leftToSweeper.increment();
            pause(failure);
        }
    }

    /** Logs one line for an outage of Kafka, not one for each transaction. */
    private void pause(Throwable failure) {
        pausedUntilNanos = System.nanoTime() + PAUSE_NANOS;
        if (!failing) {
            failing = true;
            LOG.atWarn()
                    .addKeyValue("event.action", "kafka_unavailable")
                    .addKeyValue("cause", failure.getClass().getSimpleName())
                    .log("Kafka is unavailable; new transactions are stored, and published again later");
        }
    }

    private void run() {
        findBrokers();
        while (running || !queue.isEmpty()) {
            try {
                Runnable next = queue.poll(100, TimeUnit.MILLISECONDS);
                if (next != null) {
                    sendAll(next);
                    gather();
                }
            } catch (InterruptedException stopped) {
                return;
            } catch (RuntimeException | Error bug) {
                // an Error too: nothing would be published until the gateway is started again
                LOG.atError()
                        .setCause(bug)
                        .addKeyValue("event.action", "publish_failed")
                        .log("Commands were not published because of a bug");
            }
        }
        kafka.flush();
    }

    /** Runs {@code first} and all that is queued. */
    private void sendAll(Runnable first) {
        sentInRound = 0;
        for (Runnable next = first; next != null; next = queue.poll()) {
            next.run();
        }
    }

    private void gather() {
        if (running) {
            long nanos = Math.max(GATHERING_NANOS_MIN, sentInRound * GATHERING_NANOS_OF_ONE);
            LockSupport.parkNanos(Math.min(GATHERING_NANOS_MAX, nanos));
        }
    }

    /**
     * Creates the producer and connects it before the first command, which would otherwise wait for this: seconds on a busy
     * machine.
     */
    private void findBrokers() {
        try {
            kafka.partitionsFor(Topics.COMMANDS);
        } catch (RuntimeException away) {
            LOG.atDebug()
                    .setCause(away)
                    .addKeyValue("event.action", "kafka_not_found")
                    .log("Kafka is not found at start; the first command is tried anyway");
        }
    }

    @Override
    public void start() {
        running = true;
        thread.setDaemon(true);
        thread.start();
    }

    /** Sends the queued commands for up to 10 s; the sweeper publishes the rest. */
    @Override
    public void stop() {
        running = false;
        try {
            thread.join(STOP_MAX.toMillis());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Stops after the web server has answered its last request. */
    @Override
    public int getPhase() {
        return 0;
    }

    /** A command and the request that caused it. */
    public record CausedCommand(TransactionCommand command, Origin origin) {}
}
