package dev.ligeiro.desk.money;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.ligeiro.desk.http.PageCursor;
import dev.ligeiro.desk.http.Problem;
import dev.ligeiro.desk.http.Slice;
import dev.ligeiro.desk.merchant.MerchantNames;
import dev.ligeiro.desk.merchant.NamedMerchant;
import dev.ligeiro.desk.money.BreakStore.Break;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Operator;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.store.BreakKind;
import dev.ligeiro.transaction.Coded;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Tenant;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Lists the movements in which the books and a rail's list differ, and closes one whose cause is found. It moves no money. */
@RestController
@RequestMapping("/admin/breaks")
@Tag(name = "breaks")
public class BreakController {

    private final BreakStore store;
    private final MerchantNames names;
    private final Clock clock;

    BreakController(BreakStore store, MerchantNames names, Clock clock) {
        this.store = store;
        this.names = names;
        this.clock = clock;
    }

    public enum State implements Coded {
        OPEN,
        CLOSED
    }

    /**
     * A break with its merchant.
     *
     * @param ourAmount what the books have, negative if it leaves the account; null for nothing. The same for {@code theirAmount}
     * @param closedBy null if it is open, or closed because a match was found
     * @param mode null for a break of no merchant
     */
    public record NamedBreak(
            UUID id,
            String rail,
            String day,
            String kind,
            String railId,
            @Nullable String ourAmount,
            @Nullable String theirAmount,
            @Nullable UUID transactionId,
            Instant since,
            long ageSeconds,
            @Nullable Instant closedAt,
            @Nullable String closedBy,
            @Nullable String reason,
            @JsonUnwrapped NamedMerchant merchant,
            @Nullable Mode mode) {

        static NamedBreak of(Break found, NamedMerchant merchant, @Nullable Tenant tenant, Instant now) {
            Instant until = found.closedAt() == null ? now : found.closedAt();
            return new NamedBreak(
                    found.id(),
                    found.rail(),
                    found.day(),
                    found.kind(),
                    found.railId(),
                    amount(found.ours()),
                    amount(found.theirs()),
                    found.transactionId(),
                    found.since(),
                    Duration.between(found.since(), until).toSeconds(),
                    found.closedAt(),
                    found.closedBy(),
                    found.reason(),
                    merchant,
                    tenant == null ? null : tenant.mode());
        }

        private static @Nullable String amount(@Nullable Long cents) {
            return cents == null ? null : BigDecimal.valueOf(cents, 2).toPlainString();
        }
    }

    public record Breaks(List<NamedBreak> breaks, @Nullable String nextCursor) {}

    @GetMapping
    @Needs(Role.READ)
    @Operation(summary = "movements in which the books and a rail's list differ, the oldest first")
    public Breaks list(
            @RequestParam @Nullable String rail,
            @RequestParam @Nullable BreakKind kind,
            @RequestParam @Nullable State state,
            @RequestParam @Nullable String after) {
        Slice<Break> page = store.page(state == State.CLOSED, rail, kind, PageCursor.parse(after));
        return new Breaks(named(page.items()), page.next());
    }

    @PostMapping("/{breakId}/close")
    @Needs(Role.MONEY)
    @Operation(summary = "close a break whose cause is found; this moves no money")
    NamedBreak close(@PathVariable UUID breakId, @RequestBody Reason body, Operator operator) {
        Instant now = Instant.ofEpochMilli(clock.millis());
        Break closed = store.close(breakId, requireNonNull(body.reason()), operator.name(), now)
                .orElseThrow(() -> Problem.notFound("There is no such open break"));
        return named(List.of(closed)).get(0);
    }

    private List<NamedBreak> named(List<Break> breaks) {
        Instant now = clock.instant();
        Function<@Nullable Tenant, NamedMerchant> named = names.ofTenants(breaks, BreakController::tenant);
        return breaks.stream()
                .map(one -> NamedBreak.of(one, named.apply(tenant(one)), tenant(one), now))
                .toList();
    }

    private static @Nullable Tenant tenant(Break one) {
        return one.tenant() == null ? null : new Tenant(one.tenant());
    }
}
