package dev.ligeiro.desk.money;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.ligeiro.desk.http.PageCursor;
import dev.ligeiro.desk.http.Problem;
import dev.ligeiro.desk.http.Slice;
import dev.ligeiro.desk.merchant.MerchantNames;
import dev.ligeiro.desk.merchant.NamedMerchant;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.desk.transaction.FoundTransaction;
import dev.ligeiro.desk.transaction.TransactionStore;
import dev.ligeiro.transaction.Coded;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Tenant;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Lists the money that rails reported and no transaction can take. */
@RestController
@Tag(name = "unmatched-payments")
public class UnmatchedController {

    private final UnmatchedStore store;
    private final TransactionStore transactions;
    private final MerchantNames names;
    private final Rails rails;

    UnmatchedController(UnmatchedStore store, TransactionStore transactions, MerchantNames names, Rails rails) {
        this.store = store;
        this.transactions = transactions;
        this.names = names;
        this.rails = rails;
    }

    /** Whether operators have decided what becomes of a payment. */
    public enum State implements Coded {
        OPEN,
        RESOLVED
    }

    /**
     * A payment with the merchant of the transaction that the rail named.
     *
     * @param mode null if there is no such transaction
     */
    public record Unmatched(
            @JsonUnwrapped UnmatchedPayment payment, @JsonUnwrapped NamedMerchant merchant, @Nullable Mode mode) {}

    public record UnmatchedList(List<Unmatched> unmatchedPayments, @Nullable String nextCursor) {}

    @GetMapping("/admin/unmatched-payments")
    @Needs(Role.READ)
    @Operation(summary = "payments that no transaction can take, the oldest first")
    public UnmatchedList list(
            @RequestParam @Nullable State state,
            @RequestParam(name = "e2e_id") @Nullable String endToEndId,
            @RequestParam @Nullable String after) {
        if (endToEndId != null && (state != null || after != null)) {
            throw Problem.invalid("e2e_id", "expected alone");
        }
        Slice<UnmatchedPayment> page = endToEndId == null
                ? store.page(state == State.RESOLVED, PageCursor.parse(after))
                : store.ofEndToEndId(rails.all(), endToEndId);
        return new UnmatchedList(named(page.items()), page.next());
    }

    private List<Unmatched> named(List<UnmatchedPayment> payments) {
        Map<UUID, FoundTransaction> found = transactions.all(
                payments.stream().map(UnmatchedPayment::transactionId).toList());
        Function<UnmatchedPayment, @Nullable Tenant> tenant = payment -> {
            FoundTransaction own = found.get(payment.transactionId());
            return own == null ? null : own.tenant();
        };
        Function<@Nullable Tenant, NamedMerchant> named = names.ofTenants(payments, tenant);
        return payments.stream()
                .map(payment -> {
                    Tenant of = tenant.apply(payment);
                    return new Unmatched(payment, named.apply(of), of == null ? null : of.mode());
                })
                .toList();
    }
}
