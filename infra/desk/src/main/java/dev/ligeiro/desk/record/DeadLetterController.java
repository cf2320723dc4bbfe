package dev.ligeiro.desk.record;

import static dev.ligeiro.support.kafka.DeadLetter.DETAIL;
import static dev.ligeiro.support.kafka.DeadLetter.EXCEPTION_CLASS;
import static dev.ligeiro.support.kafka.DeadLetter.HEADERS;
import static dev.ligeiro.support.kafka.DeadLetter.ORIGINAL_OFFSET;
import static dev.ligeiro.support.kafka.DeadLetter.ORIGINAL_PARTITION;
import static dev.ligeiro.support.kafka.DeadLetter.REASON;
import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;
import static org.springframework.data.mongodb.core.query.Criteria.where;
import static org.springframework.data.mongodb.core.query.Query.query;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.ligeiro.desk.http.Slice;
import dev.ligeiro.desk.merchant.MerchantStore;
import dev.ligeiro.desk.merchant.NamedMerchant;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.desk.record.TopicReader.Page;
import dev.ligeiro.desk.record.TopicReader.RecordPlace;
import dev.ligeiro.desk.transaction.FoundTransaction;
import dev.ligeiro.desk.transaction.TransactionStore;
import dev.ligeiro.message.Topics;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.support.problem.FieldError;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import dev.ligeiro.transaction.Coded;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.AssertTrue;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.data.mongodb.core.BulkOperations.BulkMode;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.kafka.KafkaException;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.ModelAndView;

/**
 * Lists dead letters and redrives them: sends them to the topic that they came from, and remembers them in MongoDB once Kafka has
 * acknowledged all of them. If a call fails between the two, or if two calls run at the same time, a record may be sent twice. The second copy
 * has no effect, because commands and events are idempotent.
 */
@RestController
@Tag(name = "dead-letters")
public class DeadLetterController {

    static final int REDRIVEN_MAX = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterController.class);
    private static final long CONFIRMATION_SECONDS_MAX = 10;
    /** Of each topic. The next page is read only if all of a page are redriven. */
    private static final int COUNTED_PAGES_MAX = 20;
    /** A longer header was not written by this system; it is not shown. */
    private static final int HEADER_BYTES_MAX = 300;

    private final TopicReader topics;
    private final KafkaTemplate<byte[], byte[]> kafka;
    private final MongoTemplate mongo;
    private final TransactionStore transactions;
    private final MerchantStore merchants;
    private final Clock clock;
    private final MeterRegistry meters;

    DeadLetterController(
            TopicReader topics,
            KafkaTemplate<byte[], byte[]> kafka,
            MongoTemplate mongo,
            TransactionStore transactions,
            MerchantStore merchants,
            Clock clock,
            MeterRegistry meters) {
        this.topics = topics;
        this.kafka = kafka;
        this.mongo = mongo;
        this.transactions = transactions;
        this.merchants = merchants;
        this.clock = clock;
        this.meters = meters;
        // so that both series exist, with 0, before the first dead letter is redriven
        List.of(DeadLetterTopic.values()).forEach(this::counter);
    }

    /** A topic whose records may become dead letters. The code is the topic's name in Kafka. */
    public enum DeadLetterTopic implements Coded {
        COMMANDS(Topics.COMMANDS),
        EVENTS(Topics.EVENTS);

        private final String name;

        DeadLetterTopic(String name) {
            this.name = name;
        }

        @Override
        public String code() {
            return name;
        }

        /** The topic that holds the dead letters. */
        String deadLetters() {
            return Topics.deadLetter(name);
        }
    }

    /**
     * A dead letter without its value, which contains personal data. A header or a key of an unexpected form is null.
     *
     * @param detail the position of the fault in an invalid message
     * @param transactionId the key, if it is a transaction id
     * @param at when the record became a dead letter
     * @param merchant of the transaction, as its mode and end-to-end id; null if there is none
     */
    public record DeadLetter(
            RecordPlace id,
            DeadLetterTopic topic,
            @Nullable Long originalPartition,
            @Nullable Long originalOffset,
            @Nullable String reason,
            @Nullable String detail,
            @Nullable String exception,
            @Nullable UUID transactionId,
            Instant at,
            boolean redriven,
            @JsonUnwrapped NamedMerchant merchant,
            @Nullable Mode mode,
            @Nullable String e2eId) {}

    public record DeadLetterList(List<DeadLetter> deadLetters, @Nullable RecordPlace nextCursor) {}

    @GetMapping("/admin/dead-letters")
    @Needs(Role.READ)
    @Operation(summary = "The records that could not be processed, the oldest first")
    public DeadLetterList list(
            @RequestParam DeadLetterTopic topic,
            @RequestParam @Nullable RecordPlace after,
            @RequestParam @Nullable Integer limit) {
        int max = requireNonNullElse(limit, Slice.ITEMS_MAX);
        if (max < 1 || max > Slice.ITEMS_MAX) {
            throw Problem.invalid("limit", "expected a number from 1 to " + Slice.ITEMS_MAX);
        }
        Page page = topics.read(topic.deadLetters(), Instant.EPOCH, after, max);
        Set<RecordPlace> redriven = redriven(topic, page.records());
        Map<UUID, FoundTransaction> found = transactions.all(
                page.records().stream()
                        .flatMap(record -> transactionId(record).stream())
                        .toList(),
                FoundTransaction::of);
        Function<@Nullable Tenant, NamedMerchant> named =
                merchants.namesOfTenants(found.values(), FoundTransaction::tenant);
        return new DeadLetterList(
                page.records().stream()
                        .map(record -> {
                            Optional<FoundTransaction> of =
                                    transactionId(record).map(found::get);
                            return new DeadLetter(
                                    RecordPlace.of(record),
                                    topic,
                                    number(record, ORIGINAL_PARTITION),
                                    number(record, ORIGINAL_OFFSET),
                                    header(record, REASON),
                                    header(record, DETAIL),
                                    header(record, EXCEPTION_CLASS),
                                    transactionId(record).orElse(null),
                                    Instant.ofEpochMilli(record.timestamp()),
                                    redriven.contains(RecordPlace.of(record)),
                                    named.apply(of.map(FoundTransaction::tenant).orElse(null)),
                                    of.map(FoundTransaction::mode).orElse(null),
                                    of.map(FoundTransaction::e2eId).orElse(null));
                        })
                        .toList(),
                page.next());
    }

    /** Each with the form that redrives it. */
    @GetMapping("/console/dead-letters")
    @Needs(Role.READ)
    ModelAndView page(
            @RequestParam(defaultValue = Topics.COMMANDS) DeadLetterTopic topic,
            @RequestParam @Nullable RecordPlace after) {
        return new ModelAndView("record/dead-letters", "page", list(topic, after, null))
                .addObject("topics", List.of(DeadLetterTopic.values()))
                .addObject("topic", topic);
    }

    private static Optional<UUID> transactionId(ConsumerRecord<byte[], byte[]> record) {
        return Optional.ofNullable(record.key())
                .flatMap(key -> TransactionId.parse(new String(key, StandardCharsets.UTF_8)))
                .map(TransactionId::value);
    }

    private static @Nullable Long number(ConsumerRecord<byte[], byte[]> record, String name) {
        String text = header(record, name);
        return text != null && text.matches("[0-9]{1,18}") ? Long.valueOf(text) : null;
    }

    private static @Nullable String header(ConsumerRecord<byte[], byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null || header.value() == null || header.value().length > HEADER_BYTES_MAX
                ? null
                : new String(header.value(), StandardCharsets.UTF_8);
    }

    /** @param more whether the topic has records that were not read */
    public record Open(long count, boolean more, @Nullable Instant oldest) {}

    /**
     * How many wait.
     *
     * @throws Problem 503 while Kafka is unavailable
     */
    public Open open(DeadLetterTopic topic) {
        RecordPlace after = null;
        for (int pages = 1; true; pages++) {
            Page page = topics.read(topic.deadLetters(), Instant.EPOCH, after, REDRIVEN_MAX);
            List<ConsumerRecord<byte[], byte[]>> open = open(topic, page.records());
            if (!open.isEmpty() || page.next() == null || pages == COUNTED_PAGES_MAX) {
                Instant oldest =
                        open.isEmpty() ? null : Instant.ofEpochMilli(open.get(0).timestamp());
                return new Open(open.size(), page.next() != null, oldest);
            }
            after = page.next();
        }
    }

    /**
     * One of {@code ids}, {@code reason} and {@code all} selects.
     *
     * @param after with {@code reason} and {@code all}: the {@code next_cursor} of the call before
     * @param dryRun true without it: only {@code false} sends
     */
    public record Redrive(
            @NotNull @Nullable DeadLetterTopic topic,
            @Size(min = 1, max = 100, message = "expected 1 to 100 ids") @Nullable
                    List<@Pattern(regexp = RecordPlace.FORM, message = RecordPlace.EXPECTED) String> ids,
            @Pattern(
                            regexp = "[a-z0-9_]{1,50}",
                            message = "expected a reason such as invalid_message: at most 50 of a-z, 0-9 and _")
                    @Nullable
                    String reason,
            @AssertTrue(message = "expected true") @Nullable Boolean all,
            @Pattern(regexp = RecordPlace.FORM, message = RecordPlace.EXPECTED) @Nullable String after,
            @Nullable Boolean dryRun) {

        @AssertTrue(message = "expected one of ids, reason and all")
        private boolean isIds() {
            return Stream.of(ids, reason, all).flatMap(Stream::ofNullable).count() == 1;
        }

        @AssertTrue(message = "expected only with reason or all")
        private boolean isAfter() {
            return after == null || ids == null;
        }
    }

    public record Redriven(
            boolean dryRun,
            DeadLetterTopic topic,
            int count,
            List<RecordPlace> ids,
            int alreadyRedriven,
            @Nullable RecordPlace nextCursor) {}

    /** At most 1,000 of them; {@code next_cursor} tells where the next call begins. */
    @PostMapping("/admin/dead-letters/redrive")
    @Needs(Role.OPERATE)
    @Operation(summary = "Send dead letters to their topic again; without dry_run=false only shows which")
    public Redriven redrive(@RequestBody Redrive body) {
        DeadLetterTopic topic = requireNonNull(body.topic);
        Page selected = body.ids == null ? next(topic, body.after, body.reason) : withIds(topic, body.ids);
        List<ConsumerRecord<byte[], byte[]>> open = open(topic, selected.records());
        boolean isDry = requireNonNullElse(body.dryRun, true);
        if (!isDry) {
            send(topic, open);
        }
        return new Redriven(
                isDry,
                topic,
                open.size(),
                open.stream().map(RecordPlace::of).toList(),
                selected.records().size() - open.size(),
                selected.next());
    }

    private Page next(DeadLetterTopic topic, @Nullable String after, @Nullable String reason) {
        RecordPlace place = after == null ? null : RecordPlace.valueOf(after);
        Page page = topics.read(topic.deadLetters(), Instant.EPOCH, place, REDRIVEN_MAX);
        return new Page(
                page.records().stream()
                        .filter(record -> reason == null || reason.equals(header(record, REASON)))
                        .toList(),
                page.next());
    }

    /** In the order of the topic. @throws Problem 422 for unknown ids */
    private Page withIds(DeadLetterTopic topic, List<String> ids) {
        TreeSet<RecordPlace> left =
                ids.stream().map(RecordPlace::valueOf).collect(Collectors.toCollection(TreeSet::new));
        TreeSet<RecordPlace> unknown = new TreeSet<>(left);
        List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
        while (!left.isEmpty()) {
            RecordPlace first = left.first();
            RecordPlace before = new RecordPlace(first.partition(), first.offset() - 1);
            Page page = topics.read(topic.deadLetters(), Instant.EPOCH, before, REDRIVEN_MAX);
            page.records().stream()
                    .filter(record -> unknown.remove(RecordPlace.of(record)))
                    .forEach(found::add);
            left.removeIf(place -> page.next() == null || place.compareTo(page.next()) <= 0);
        }
        if (!unknown.isEmpty()) {
            throw Problem.invalid(List.of(new FieldError(
                    "ids", "unknown", "expected ids of dead letters of the topic, unknown: " + unknown)));
        }
        return new Page(found, null);
    }

    private List<ConsumerRecord<byte[], byte[]>> open(
            DeadLetterTopic topic, List<ConsumerRecord<byte[], byte[]>> records) {
        Set<RecordPlace> redriven = redriven(topic, records);
        return records.stream()
                .filter(record -> !redriven.contains(RecordPlace.of(record)))
                .toList();
    }

    /** The places of those that were redriven: one query by {@code _id}. */
    private Set<RecordPlace> redriven(DeadLetterTopic topic, List<ConsumerRecord<byte[], byte[]>> records) {
        Map<String, RecordPlace> places =
                records.stream().collect(Collectors.toMap(record -> key(topic, record), RecordPlace::of));
        return mongo
                .find(query(where("_id").in(places.keySet())), Document.class, CollectionNames.DEAD_LETTERS_REDRIVEN)
                .stream()
                .map(found -> places.get(found.getString("_id")))
                .collect(Collectors.toSet());
    }

    /** The time tells the dead letters of a topic that was deleted and created again, whose offsets start at 0, from those of the old topic. */
    private static String key(DeadLetterTopic topic, ConsumerRecord<byte[], byte[]> record) {
        return topic.deadLetters() + "-" + RecordPlace.of(record) + "-" + record.timestamp();
    }

    /** Sends them in their order. @throws Problem 503 when Kafka has not acknowledged all of them */
    private void send(DeadLetterTopic topic, List<ConsumerRecord<byte[], byte[]>> open) {
        try {
            CompletableFuture.allOf(open.stream()
                            .map(record -> kafka.send(original(topic, record)))
                            .toArray(CompletableFuture<?>[]::new))
                    .orTimeout(CONFIRMATION_SECONDS_MAX, TimeUnit.SECONDS)
                    .join();
        } catch (CompletionException | KafkaException away) {
            throw Problem.of(
                    ProblemCode.UNAVAILABLE,
                    "Kafka has not confirmed all " + open.size() + " dead letters; call again");
        }
        remember(topic, open);
        counter(topic).increment(open.size());
        LOG.atInfo()
                .addKeyValue("event.action", "dead_letters_redriven")
                .addKeyValue("topic", topic.code())
                .addKeyValue("records", open.size())
                .log("Dead letters were redriven");
    }

    /**
     * The record as it was before it became a dead letter: key, value and headers. The key selects the partition, so it follows the
     * other records of its transaction. Its time is that of sending, since a topic is read and deleted in the order of time.
     */
    private static ProducerRecord<byte[], byte[]> original(
            DeadLetterTopic topic, ConsumerRecord<byte[], byte[]> record) {
        ProducerRecord<byte[], byte[]> original =
                new ProducerRecord<>(topic.code(), null, record.key(), record.value(), record.headers());
        HEADERS.forEach(original.headers()::remove);
        return original;
    }

    private void remember(DeadLetterTopic topic, List<ConsumerRecord<byte[], byte[]>> sent) {
        if (sent.isEmpty()) {
            return;
        }
        Date now = Date.from(clock.instant());
        try {
            mongo.bulkOps(BulkMode.UNORDERED, CollectionNames.DEAD_LETTERS_REDRIVEN)
                    .insert(sent.stream()
                            .map(record -> new Document("_id", key(topic, record)).append("redrivenAt", now))
                            .toList())
                    .execute();
        } catch (DuplicateKeyException remembered) {
            // by a call at the same time; the others are inserted
        }
    }

    private Counter counter(DeadLetterTopic topic) {
        return Counter.builder("ligeiro.dead.letters.redriven")
                .description("Dead letters that Kafka has acknowledged in their original topic")
                .tag("topic", topic.code())
                .register(meters);
    }
}
