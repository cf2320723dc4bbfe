package dev.ligeiro.desk.merchant;

import static org.springframework.data.mongodb.core.query.Criteria.where;
import static org.springframework.data.mongodb.core.query.Query.query;

import dev.ligeiro.desk.http.Replaces;
import dev.ligeiro.desk.kafka.GroupLag;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.merchant.Merchant;
import dev.ligeiro.message.Topics;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.GuardDocument;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.transaction.CashoutGuard;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Tenant;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.data.domain.Sort;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.query.Update;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Shows and replaces what a merchant's cashouts in one mode may be. */
@RestController
@RequestMapping("/admin/merchants/{merchantId}/guard")
@Tag(name = "guards")
public class GuardController {

    /** Then a processor writes them, and the first count of reservations finds what they lack. */
    private static final Duration BOOKS_BEHIND_MAX = Duration.ofMinutes(10);

    private static final int NOT_OPENED_MAX = 1_000;

    private final MongoTemplate mongo;
    private final MerchantStore merchants;
    private final GroupLag lag;
    private final String books;
    private final ZoneId zone;
    private final Duration answerAfter;
    private final Clock clock;

    GuardController(
            MongoTemplate mongo,
            MerchantStore merchants,
            GroupLag lag,
            @Value("${ligeiro.books.consumer-group}") String books,
            @Value("${ligeiro.time-zone}") ZoneId zone,
            @Value("${ligeiro.guard.answer-after}") Duration answerAfter,
            Clock clock) {
        this.mongo = mongo;
        this.merchants = merchants;
        this.lag = lag;
        this.books = books;
        this.zone = zone;
        this.answerAfter = answerAfter;
        this.clock = clock;
    }

    /** Answers when every processor decides by it. */
    @PutMapping
    @Needs(Role.MONEY)
    @Replaces("guards read")
    @Operation(summary = "replace the guard of one mode; without a value, there is no such limit")
    Guard replace(@PathVariable UUID merchantId, @RequestBody Guard body) throws InterruptedException {
        Merchant merchant = merchants.get(merchantId);
        if (Boolean.TRUE.equals(body.fundsCheck()) && !booksFollow()) {
            throw Problem.invalid(
                    "funds_check",
                    "the books are more than 10 minutes behind, or Kafka does not answer; a processor must write them");
        }
        // the totals are counted 10 s after this time, which must be that of the write
        CashoutGuard guard = body.stored(merchant.number(), zone, clock.instant());
        CashoutGuard before = find(guard.tenant());
        CashoutGuard stored = before == null ? guard : continued(before, guard);
        write(stored, new Update());
        Thread.sleep(answerAfter.toMillis());
        return Guard.of(stored);
    }

    /** Without the books, a check of funds would never see the money of a cashin. */
    private boolean booksFollow() {
        try {
            return lag.of(books, Topics.EVENTS, clock.instant()).compareTo(BOOKS_BEHIND_MAX) <= 0;
        } catch (KafkaException away) {
            return false;
        }
    }

    /** With the totals of the guard before, if they go on: the cashouts have been counted since then, in the same days and windows. */
    private static CashoutGuard continued(CashoutGuard before, CashoutGuard after) {
        Duration window = before.count() == null ? null : before.count().window();
        boolean goesOn = before.hasTotals()
                && before.fundsCheck() == after.fundsCheck()
                && before.zone().equals(after.zone())
                && (after.count() == null || after.count().window().equals(window));
        Instant later = before.totalsSince().plusMillis(1);
        Instant since = after.totalsSince().isBefore(later) ? later : after.totalsSince();
        return after.withTotalsSince(goesOn ? before.totalsSince() : since);
    }

    public record Guards(List<Guard> guards) {}

    /** Of one mode: the guard itself; of both: a list. */
    @GetMapping
    @Needs(Role.READ)
    @Operation(summary = "the guards of both modes, or that of one")
    Object read(@PathVariable UUID merchantId, @RequestParam @Nullable Mode mode) {
        Merchant merchant = merchants.get(merchantId);
        return mode == null ? new Guards(of(merchant)) : of(merchant, mode);
    }

    /** For the merchant's page. */
    public List<Guard> of(Merchant merchant) {
        return Stream.of(Mode.values()).map(mode -> of(merchant, mode)).toList();
    }

    private Guard of(Merchant merchant, Mode mode) {
        Tenant tenant = Tenant.of(merchant.number(), mode);
        CashoutGuard stored = find(tenant);
        return Guard.of(stored == null ? CashoutGuard.none(tenant, zone, Instant.EPOCH) : stored);
    }

    /** Null if the tenant has never had one, or a damaged one: its cashouts wait until it is set again. */
    private @Nullable CashoutGuard find(Tenant tenant) {
        Document stored = mongo.findById(tenant.key(), Document.class, CollectionNames.GUARDS);
        try {
            return stored == null ? null : GuardDocument.read(stored);
        } catch (RuntimeException damaged) {
            return null;
        }
    }

    /** Gives a new tenant a guard, and stops its cashouts until they are opened. */
    public void begin(CashoutGuard guard) {
        write(guard, new Update().set(GuardDocument.NOT_OPENED, true));
    }

    private void write(CashoutGuard guard, Update update) {
        GuardDocument.of(guard).forEach(update::set);
        mongo.upsert(
                query(where(GuardDocument.ID).is(guard.tenant().key())),
                update.currentDate(GuardDocument.CHANGED_AT),
                CollectionNames.GUARDS);
    }

    /** Opens the cashouts of a tenant that began with stopped ones. */
    public void open(Tenant tenant) {
        mongo.updateFirst(
                query(where(GuardDocument.ID)
                        .is(tenant.key())
                        .and(GuardDocument.NOT_OPENED)
                        .is(true)),
                new Update().unset(GuardDocument.NOT_OPENED).currentDate(GuardDocument.CHANGED_AT),
                CollectionNames.GUARDS);
    }

    /** The newest 1,000 tenants whose cashouts nobody has opened yet. */
    public List<Tenant> notOpened() {
        return mongo
                .find(
                        query(where(GuardDocument.NOT_OPENED).is(true))
                                .with(Sort.by(Sort.Direction.DESC, GuardDocument.ID))
                                .limit(NOT_OPENED_MAX),
                        Document.class,
                        CollectionNames.GUARDS)
                .stream()
                .map(found -> new Tenant(found.getLong(GuardDocument.ID)))
                .toList();
    }
}
