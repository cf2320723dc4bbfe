package dev.ligeiro.desk.money;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ligeiro.desk.http.Dangerous;
import dev.ligeiro.desk.http.Problem;
import dev.ligeiro.desk.merchant.MerchantStore;
import dev.ligeiro.desk.merchant.StopStore;
import dev.ligeiro.desk.money.StopController.CashoutStop;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Operator;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.merchant.Merchant;
import dev.ligeiro.merchant.Stop;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Clock;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Freezes all that a merchant pays out, within 5 seconds: its cashouts are denied, its refunds and approvals refused. */
@RestController
@RequestMapping("/admin/merchants/{merchantId}")
@Tag(name = "merchants")
class FreezeController {

    private final StopStore store;
    private final MerchantStore merchants;
    private final Clock clock;

    FreezeController(StopStore store, MerchantStore merchants, Clock clock) {
        this.store = store;
        this.merchants = merchants;
        this.clock = clock;
    }

    /** @param since null if it is not frozen */
    record Frozen(boolean frozen, @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable CashoutStop since) {}

    @PostMapping("/freeze")
    @Needs(Role.OPERATE)
    @Dangerous
    @Operation(summary = "deny a merchant's cashouts, and refuse its refunds and approvals")
    Frozen freeze(@PathVariable UUID merchantId, @RequestBody Reason body, Operator operator) {
        Stop frozen = Stop.frozen(
                merchant(merchantId),
                requireNonNull(body.reason()),
                operator.name(),
                Instant.ofEpochMilli(clock.millis()));
        store.stop(frozen);
        return new Frozen(true, CashoutStop.of(frozen));
    }

    @PostMapping("/unfreeze")
    @Needs(Role.MONEY)
    @Operation(summary = "let a frozen merchant pay out again")
    Frozen unfreeze(@PathVariable UUID merchantId, @RequestBody Reason body) {
        store.resume(Stop.frozenId(merchant(merchantId).id()));
        return new Frozen(false, null);
    }

    private Merchant merchant(UUID id) {
        return merchants.find(id).orElseThrow(() -> Problem.notFound("There is no such merchant"));
    }
}
