package dev.ligeiro.desk.money;

import com.mongodb.MongoException;
import dev.ligeiro.desk.http.Problems;
import dev.ligeiro.desk.http.RequestId;
import dev.ligeiro.desk.transaction.TransactionStore;
import dev.ligeiro.merchant.Stop;
import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.Origin;
import dev.ligeiro.message.Topics;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.QueuedChange;
import dev.ligeiro.support.kafka.OriginHeaders;
import dev.ligeiro.support.observe.Traces;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.ChangeRefusal;
import dev.ligeiro.transaction.ChangeRules;
import dev.ligeiro.transaction.Codes;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.History;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.UuidV7;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.kafka.KafkaException;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.stereotype.Component;

/**
 * Sends the processor a command that changes a transaction, and waits up to 2 s for the entry that it causes. The desk never changes a
 * transaction itself: a single writer keeps the changes of each transaction in order.
 */
@Component
class RequestChange {

    private static final Logger LOG = LoggerFactory.getLogger(RequestChange.class);

    private static final long KAFKA_SECONDS_MAX = 3;
    /** Then Kafka's client has given the command up (delivery.timeout.ms, 20 s), or the processor has had time to carry it out. */
    private static final Duration RETRY_AFTER = Duration.ofSeconds(25);
    /** A processor that has the rail may be there then, or an operator has mended the guard. */
    private static final Duration RETRY_REFUSED_AFTER = Duration.ofMinutes(1);

    private static final int LOOKS_MAX = 20;
    private static final long PAUSE_MILLIS = 100;

    private final TransactionStore transactions;
    private final StopController stops;
    private final MongoTemplate mongo;
    private final KafkaTemplate<byte[], byte[]> kafka;
    private final HttpServletRequest request;
    private final Clock clock;

    RequestChange(
            TransactionStore transactions,
            StopController stops,
            MongoTemplate mongo,
            KafkaTemplate<byte[], byte[]> kafka,
            HttpServletRequest request,
            Clock clock) {
        this.transactions = transactions;
        this.stops = stops;
        this.mongo = mongo;
        this.kafka = kafka;
        this.request = request;
        this.clock = clock;
    }

    /**
     * The history up to the change; null if Kafka has the command, and the change follows.
     *
     * @throws Problem if the transaction does not allow the action, the processor refuses it, or Kafka has not confirmed the command
     */
    @Nullable
    History request(Transaction before, ChangeAction.Approval action) throws InterruptedException {
        ChangeRules.refusal(before, action, clock.instant()).ifPresent(refusal -> {
            throw problem(refusal, before, action);
        });
        // operators may reject the cashouts of a frozen merchant
        if (action.approved()
                && stops.ofMerchant(before.tenant().merchantNumber()).stream().anyMatch(Stop::isFrozen)) {
            throw problem(ChangeRefusal.MERCHANT_FROZEN, before, action);
        }
        TransactionCommand.Change command = new TransactionCommand.Change(
                before.tenant(), before.id(), new ChangeRef(UuidV7.at(clock.millis()), null), action);
        send(command);
        History changed = await(command, action);
        if (changed == null) {
            keep(command);
        }
        return changed;
    }

    private void send(TransactionCommand.Change command) throws InterruptedException {
        byte[] key = command.transactionId().toString().getBytes(StandardCharsets.US_ASCII);
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(Topics.COMMANDS, key, MessageJson.write(command));
        SpanContext span = Span.current().getSpanContext();
        OriginHeaders.add(
                record.headers(), Origin.of(RequestId.of(request), span.isValid() ? Traces.traceParent(span) : null));
        try {
            kafka.send(record).get(KAFKA_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException | KafkaException away) {
            LOG.atWarn()
                    .addKeyValue("event.action", "kafka_unavailable")
                    .addKeyValue("cause", away.getClass().getSimpleName())
                    .log("Kafka has not confirmed an operator's change, which may still be made");
            throw Problem.unavailable(
                    "Kafka has not confirmed the change, which may still be made. Read the transaction after Retry-After",
                    RETRY_AFTER);
        }
    }

    /** Null if there is no outcome in time, or it cannot be read: the change will be made. */
    private @Nullable History await(TransactionCommand.Change command, ChangeAction.Approval action)
            throws InterruptedException {
        for (int i = 0; i < LOOKS_MAX; i++) {
            Thread.sleep(PAUSE_MILLIS);
            try {
                Transaction now = transactions
                        .find(command.tenant(), command.transactionId())
                        .orElseThrow(Problems::transactionNotFound);
                List<Entry> entries = now.history().entries();
                for (int e = 0; e < entries.size(); e++) {
                    if (command.change().id().equals(entries.get(e).changeId())) {
                        if (entries.get(e) instanceof Entry.ChangeRefused refused) {
                            throw problem(Codes.get(ChangeRefusal.class, refused.code()), now, action);
                        }
                        return new History(entries.subList(0, e + 1));
                    }
                }
            } catch (DataAccessException | MongoException unread) {
                return null;
            }
        }
        return null;
    }

    /** So that a gateway publishes it again if Kafka loses it. Without it the answer is the same: Kafka has the command. */
    private void keep(TransactionCommand.Change command) {
        try {
            mongo.getCollection(CollectionNames.QUEUED_CHANGES)
                    .insertOne(QueuedChange.document(command, clock.instant()));
        } catch (DataAccessException | MongoException away) {
            LOG.atWarn()
                    .addKeyValue("event.action", "change_not_kept")
                    .addKeyValue("cause", away.getClass().getSimpleName())
                    .log("A change that Kafka has could not be stored, to be published again if Kafka loses it");
        }
    }

    private static Problem problem(ChangeRefusal refusal, Transaction transaction, ChangeAction.Approval action) {
        return switch (refusal) {
            case MERCHANT_FROZEN -> Problem.of(ProblemCode.MERCHANT_FROZEN, "The operator has frozen the account");
            case UNAVAILABLE ->
                Problem.unavailable("The cashout cannot be decided now and goes on waiting", RETRY_REFUSED_AFTER);
            default ->
                Problem.of(ProblemCode.INVALID_TRANSITION, "The transaction does not wait for an approval")
                        .with("from", transaction.status().code())
                        .with("to", action.target().code())
                        .with(
                                "allowed",
                                transaction.allowedMoves().stream()
                                        .filter(status -> status != action.target())
                                        .map(Status::code)
                                        .toList());
        };
    }
}
