package dev.ligeiro.desk.money;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.ligeiro.desk.http.PageCursor;
import dev.ligeiro.desk.http.Problem;
import dev.ligeiro.desk.http.Slice;
import dev.ligeiro.desk.merchant.MerchantNames;
import dev.ligeiro.desk.merchant.NamedMerchant;
import dev.ligeiro.desk.money.WaitingStore.Call;
import dev.ligeiro.desk.money.WaitingStore.Waiting;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.desk.transaction.FoundTransaction;
import dev.ligeiro.transaction.Tenant;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Lists the transactions whose outcome no rail has told. */
@RestController
@Tag(name = "unsettled")
public class UnsettledController {

    private static final int OLDER_THAN_DEFAULT = 600;
    private static final int OLDER_THAN_MAX = 999_999_999;

    private final WaitingStore store;
    private final MerchantNames names;
    private final Clock clock;

    UnsettledController(WaitingStore store, MerchantNames names, Clock clock) {
        this.store = store;
        this.names = names;
        this.clock = clock;
    }

    /** @param since since when the outcome has been unknown */
    public record Unsettled(
            @JsonUnwrapped FoundTransaction.Json transaction,
            String rail,
            Instant since,
            long ageSeconds,
            List<Call> calls) {}

    public record UnsettledList(List<Unsettled> unsettled, @Nullable String nextCursor) {}

    /** @param olderThan in seconds */
    @GetMapping("/admin/unsettled")
    @Needs(Role.READ)
    @Operation(summary = "transactions whose outcome has been unknown for longer than 10 minutes, the longest first")
    public UnsettledList list(
            @RequestParam(name = "older_than") @Nullable Integer olderThan, @RequestParam @Nullable String after) {
        int seconds = olderThan == null ? OLDER_THAN_DEFAULT : olderThan;
        if (seconds < 0 || seconds > OLDER_THAN_MAX) {
            throw Problem.invalid("older_than", "expected a number of seconds, at most " + OLDER_THAN_MAX);
        }
        Instant now = clock.instant();
        Slice<Waiting> page = store.unsettled(now, Duration.ofSeconds(seconds), PageCursor.parse(after));
        Function<@Nullable Tenant, NamedMerchant> named =
                names.ofTenants(page.items(), one -> one.transaction().tenant());
        return new UnsettledList(
                page.items().stream()
                        .map(one -> new Unsettled(
                                one.transaction()
                                        .json(named.apply(one.transaction().tenant())),
                                one.rail(),
                                one.since(),
                                Duration.between(one.since(), now).toSeconds(),
                                one.calls()))
                        .toList(),
                page.next());
    }
}
