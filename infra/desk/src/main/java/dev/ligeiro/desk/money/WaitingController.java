package dev.ligeiro.desk.money;

import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Filters.lt;
import static dev.ligeiro.store.TransactionFields.APPROVAL_SINCE;
import static dev.ligeiro.store.TransactionFields.UNSETTLED_SINCE;
import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.ligeiro.desk.audit.Audited;
import dev.ligeiro.desk.http.Dangerous;
import dev.ligeiro.desk.http.PageCursor;
import dev.ligeiro.desk.http.Problems;
import dev.ligeiro.desk.http.Slice;
import dev.ligeiro.desk.merchant.MerchantStore;
import dev.ligeiro.desk.merchant.NamedMerchant;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.desk.transaction.FoundTransaction;
import dev.ligeiro.desk.transaction.TransactionStore;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.History;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.RefundId;
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
import java.util.Date;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.ModelAndView;

/** The transactions that wait, for a person's approval or for the outcome that a rail has not told. No answer has personal data. */
@RestController
@Tag(name = "approvals")
public class WaitingController {

    private static final int UNKNOWN_FOR_SECONDS = 600;

    private static final int OLDER_THAN_MAX = 999_999_999;

    private final TransactionStore transactions;
    private final MerchantStore merchants;
    private final RequestChange change;
    private final Clock clock;

    WaitingController(TransactionStore transactions, MerchantStore merchants, RequestChange change, Clock clock) {
        this.transactions = transactions;
        this.merchants = merchants;
        this.change = change;
        this.clock = clock;
    }

    /**
     * @param since since when a person has been asked, or the outcome has been unknown
     * @param calls those without an outcome; null for an approval
     */
    public record Waiting(
            @JsonUnwrapped FoundTransaction transaction,
            String rail,
            Instant since,
            long ageSeconds,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<Call> calls) {}

    /** @param refundId null for a call of the transaction itself */
    public record Call(@Nullable UUID refundId, Instant since, int submissions, int inquiries, Instant dueAt) {

        private static Call of(RailCall call) {
            RefundId refund = call.refund();
            return new Call(
                    refund == null ? null : refund.value(),
                    call.since(),
                    call.submissions(),
                    call.inquiries(),
                    call.dueAt());
        }
    }

    public record Approvals(List<Waiting> approvals, @Nullable String nextCursor) {}

    @GetMapping("/admin/approvals")
    @Needs(Role.READ)
    @Operation(summary = "cashouts that wait for approval, the longest waiting first")
    public Approvals list(@RequestParam @Nullable String after) {
        Slice<Waiting> page = page(APPROVAL_SINCE, exists(APPROVAL_SINCE), after);
        return new Approvals(page.items(), page.next());
    }

    @GetMapping("/console/approvals")
    @Needs(Role.READ)
    ModelAndView approvals(@RequestParam @Nullable String after) {
        return new ModelAndView("money/approvals", "page", list(after));
    }

    public record Unsettled(List<Waiting> unsettled, @Nullable String nextCursor) {}

    /** @param olderThan in seconds */
    @GetMapping("/admin/unsettled")
    @Tag(name = "unsettled")
    @Needs(Role.READ)
    @Operation(summary = "transactions whose outcome has been unknown for longer than 10 minutes, the longest first")
    public Unsettled list(
            @RequestParam(name = "older_than", defaultValue = "" + UNKNOWN_FOR_SECONDS) int olderThan,
            @RequestParam @Nullable String after) {
        if (olderThan < 0 || olderThan > OLDER_THAN_MAX) {
            throw Problem.invalid("older_than", "expected a number of seconds, at most " + OLDER_THAN_MAX);
        }
        Bson old = lt(UNSETTLED_SINCE, Date.from(clock.instant().minusSeconds(olderThan)));
        Slice<Waiting> page = page(UNSETTLED_SINCE, old, after);
        return new Unsettled(page.items(), page.next());
    }

    @GetMapping("/console/unsettled")
    @Needs(Role.READ)
    ModelAndView unsettled(@RequestParam @Nullable String after) {
        return new ModelAndView("money/unsettled", "page", list(UNKNOWN_FOR_SECONDS, after));
    }

    private Slice<Waiting> page(String time, Bson which, @Nullable String after) {
        Slice<Transaction> page = transactions.oldest(time, which, PageCursor.parse(after));
        Function<@Nullable Tenant, NamedMerchant> named = merchants.namesOfTenants(page.items(), Transaction::tenant);
        Instant now = clock.instant();
        return page.map(one -> {
            boolean isApproval = time.equals(APPROVAL_SINCE);
            Instant since = requireNonNull(isApproval ? one.approvalSince() : one.unsettledSince());
            return new Waiting(
                    FoundTransaction.of(one, named.apply(one.tenant())),
                    one.terms().rail(),
                    since,
                    Duration.between(since, now).toSeconds(),
                    isApproval ? null : one.railCalls().stream().map(Call::of).toList());
        });
    }

    /** @param denialReason null unless it is denied */
    public record Decided(UUID id, Status status, @Nullable String denialReason) {}

    @PostMapping("/admin/transactions/{transactionId}/approve")
    @Needs(Role.MONEY)
    @Operation(summary = "let a cashout go to its rail; stops and allowed receivers are checked once more")
    ResponseEntity<Decided> approve(@PathVariable UUID transactionId, @RequestBody Reason.WithSum body)
            throws InterruptedException {
        Transaction cashout = find(transactionId);
        Reason.requireSum(body.amount(), cashout.terms().amount());
        return decide(cashout, true, body.reason());
    }

    @PostMapping("/admin/transactions/{transactionId}/reject")
    @Needs(Role.MONEY)
    @Dangerous
    @Operation(summary = "deny a cashout that waits for approval, for good")
    ResponseEntity<Decided> reject(@PathVariable UUID transactionId, @RequestBody Reason body)
            throws InterruptedException {
        return decide(find(transactionId), false, body.reason());
    }

    private Transaction find(UUID id) {
        return transactions.find(new TransactionId(id)).orElseThrow(Problems::transactionNotFound);
    }

    private ResponseEntity<Decided> decide(Transaction cashout, boolean isApproved, String reason)
            throws InterruptedException {
        Audited.concerns(merchants.name(cashout.tenant()).merchantId());
        History changed = change.request(cashout, new ChangeAction.Approval(isApproved, Source.OPERATOR, reason));
        History shown = changed == null ? cashout.history() : changed;
        return ResponseEntity.status(changed == null ? HttpStatus.ACCEPTED : HttpStatus.OK)
                .body(new Decided(cashout.id().value(), shown.status(), shown.denialReason()));
    }
}
