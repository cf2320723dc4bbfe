package dev.ligeiro.desk.merchant;

import dev.ligeiro.desk.http.Problem;
import dev.ligeiro.desk.http.Replaces;
import dev.ligeiro.desk.kafka.GroupLag;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.merchant.Merchant;
import dev.ligeiro.message.Topics;
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
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
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

    private final GuardStore store;
    private final MerchantStore merchants;
    private final GroupLag lag;
    private final String books;
    private final ZoneId zone;
    private final Duration answerAfter;
    private final Clock clock;

    GuardController(
            GuardStore store,
            MerchantStore merchants,
            GroupLag lag,
            @Value("${ligeiro.books.consumer-group}") String books,
            @Value("${ligeiro.time-zone}") ZoneId zone,
            @Value("${ligeiro.guard.answer-after}") Duration answerAfter,
            Clock clock) {
        this.store = store;
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
        long number = merchant(merchantId).number();
        if (Boolean.TRUE.equals(body.fundsCheck())) {
            requireBooks();
        }
        // the totals are counted 10 s after this time, which must be that of the write
        CashoutGuard guard = body.stored(number, zone, Instant.ofEpochMilli(clock.millis()));
        CashoutGuard stored = store.find(guard.tenant())
                .map(before -> continued(before, guard))
                .orElse(guard);
        store.set(stored);
        Thread.sleep(answerAfter.toMillis());
        return Guard.of(stored);
    }

    /** Without the books, a check of funds would never see the money of a cashin. */
    private void requireBooks() {
        if (!booksFollow()) {
            throw Problem.invalid(
                    "funds_check",
                    "the books are more than 10 minutes behind, or Kafka does not answer; a processor must write them");
        }
    }

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

    /** Of one mode: the guard itself; of both: a list. */
    @GetMapping
    @Needs(Role.READ)
    @Operation(summary = "the guards of both modes, or that of one")
    Object read(@PathVariable UUID merchantId, @RequestParam @Nullable Mode mode) {
        return mode == null ? new Guards(of(merchant(merchantId))) : of(merchant(merchantId), mode);
    }

    public record Guards(List<Guard> guards) {}

    /** For the merchant's page. */
    public List<Guard> of(Merchant merchant) {
        return Stream.of(Mode.values()).map(mode -> of(merchant, mode)).toList();
    }

    private Guard of(Merchant merchant, Mode mode) {
        return store.find(Tenant.of(merchant.number(), mode)).map(Guard::of).orElseGet(() -> Guard.none(mode));
    }

    private Merchant merchant(UUID id) {
        return merchants.find(id).orElseThrow(() -> Problem.notFound("There is no such merchant"));
    }
}
