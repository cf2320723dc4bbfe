package dev.ligeiro.desk.money;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.ligeiro.desk.audit.Audited;
import dev.ligeiro.desk.http.Dangerous;
import dev.ligeiro.desk.http.PageCursor;
import dev.ligeiro.desk.http.Problem;
import dev.ligeiro.desk.http.Slice;
import dev.ligeiro.desk.merchant.MerchantNames;
import dev.ligeiro.desk.merchant.NamedMerchant;
import dev.ligeiro.desk.money.WaitingStore.Waiting;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.desk.transaction.FoundTransaction;
import dev.ligeiro.desk.transaction.TransactionStore;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Lists the cashouts that wait for approval, and decides about one. The answers have no personal data. */
@RestController
@Tag(name = "approvals")
public class ApprovalController {

    private final WaitingStore store;
    private final TransactionStore transactions;
    private final MerchantNames names;
    private final RequestChange change;
    private final Clock clock;

    ApprovalController(
            WaitingStore store, TransactionStore transactions, MerchantNames names, RequestChange change, Clock clock) {
        this.store = store;
        this.transactions = transactions;
        this.names = names;
        this.change = change;
        this.clock = clock;
    }

    public record Approval(
            @JsonUnwrapped FoundTransaction.Json transaction, String rail, Instant since, long ageSeconds) {}

    public record Approvals(List<Approval> approvals, @Nullable String nextCursor) {}

    @GetMapping("/admin/approvals")
    @Needs(Role.READ)
    @Operation(summary = "cashouts that wait for approval, the longest waiting first")
    public Approvals list(@RequestParam @Nullable String after) {
        Instant now = clock.instant();
        Slice<Waiting> page = store.approvals(PageCursor.parse(after));
        Function<@Nullable Tenant, NamedMerchant> named =
                names.ofTenants(page.items(), one -> one.transaction().tenant());
        return new Approvals(
                page.items().stream()
                        .map(one -> new Approval(
                                one.transaction()
                                        .json(named.apply(one.transaction().tenant())),
                                one.rail(),
                                one.since(),
                                Duration.between(one.since(), now).toSeconds()))
                        .toList(),
                page.next());
    }

    /** @param denialReason null unless it is denied */
    public record Decided(UUID id, Status status, @Nullable String denialReason) {}

    @PostMapping("/admin/transactions/{transactionId}/approve")
    @Needs(Role.MONEY)
    @Operation(summary = "let a cashout go to its rail; stops and allowed receivers are checked once more")
    ResponseEntity<Decided> approve(@PathVariable UUID transactionId, @RequestBody Reason body)
            throws InterruptedException {
        return decide(transactionId, true, body);
    }

    @PostMapping("/admin/transactions/{transactionId}/reject")
    @Needs(Role.MONEY)
    @Dangerous
    @Operation(summary = "deny a cashout that waits for approval, for good")
    ResponseEntity<Decided> reject(@PathVariable UUID transactionId, @RequestBody Reason body)
            throws InterruptedException {
        return decide(transactionId, false, body);
    }

    private ResponseEntity<Decided> decide(UUID id, boolean approved, Reason body) throws InterruptedException {
        Transaction found = transactions.find(new TransactionId(id)).orElseThrow(Problem::transactionNotFound);
        UUID merchantId = names.of(found.tenant()).merchantId();
        if (merchantId != null) {
            Audited.concerns(merchantId);
        }
        RequestChange.Outcome outcome = change.request(
                found, new ChangeAction.Approval(approved, Source.OPERATOR, requireNonNull(body.reason())));
        return ResponseEntity.status(outcome.isQueued() ? HttpStatus.ACCEPTED : HttpStatus.OK)
                .body(new Decided(
                        id, outcome.history().status(), outcome.history().denialReason()));
    }
}
