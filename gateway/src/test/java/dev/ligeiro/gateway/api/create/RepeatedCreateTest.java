package dev.ligeiro.gateway.api.create;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ligeiro.fixture.TransactionBuilder;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import dev.ligeiro.pix.PixKey;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.History;
import dev.ligeiro.transaction.Party;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RepeatedCreateTest {

    private static final Instant LATER = Transactions.CREATED_AT.plusSeconds(3);

    private final Transaction holder = withKey(Transactions.goldenCashin(), "k");

    private static Transaction withKey(Transaction transaction, @Nullable String key) {
        ChangeRef change = key == null ? null : new ChangeRef(transaction.id().value(), key);
        return Transactions.like(transaction)
                .history(History.begin(transaction.createdAt(), change))
                .build();
    }

    /** The transaction of a later request with the same body; its id, end-to-end id, commission and BR Code are others. */
    private static Transaction repeated(
            Transaction original, @Nullable String key, UnaryOperator<TransactionBuilder> change) {
        Transaction later = change.apply(Transactions.like(original)
                        .createdAs(TransactionId.at(LATER))
                        .commission(new Amount(7))
                        .brCode("another code"))
                .build();
        return withKey(later, key);
    }

    private static Transaction repeated(Transaction original, @Nullable String key) {
        return repeated(original, key, same -> same);
    }

    private static Problem refusal(Transaction refused, Transaction... holders) {
        return catchThrowableOfType(Problem.class, () -> RepeatedCreate.original(refused, List.of(holders)));
    }

    @Test
    void anEqualRequestGetsTheOriginalAsItWasThen() {
        Transaction paid = holder.with(Entry.StatusChanged.to(Status.PAID, LATER, Source.RAIL));

        assertThat(RepeatedCreate.original(repeated(holder, "k"), List.of(paid)))
                .contains(holder.accept());
    }

    @Test
    void withoutAHolderThereIsNoAnswerYet() {
        assertThat(RepeatedCreate.original(repeated(holder, "k"), List.of())).isEmpty();
    }

    static Stream<UnaryOperator<TransactionBuilder>> otherBodies() {
        return Stream.of(
                other -> other.amount(new Amount(15076)),
                other -> other.payer(new Party("Ana", "zoe@example.com", "+5511987654321", "52998224725")),
                other -> other.description("Order 78"),
                other -> other.platform(UUID.randomUUID()),
                other -> other.reference(null),
                other -> other.reference("another"),
                other -> other.extra(null),
                other -> other.expiresAt(LATER.plus(Transactions.EXPIRY).plusSeconds(1)));
    }

    @ParameterizedTest
    @MethodSource("otherBodies")
    void anotherBodyWithTheKeyIsRefused(UnaryOperator<TransactionBuilder> change) {
        assertReused(repeated(holder, "k", change), holder);
    }

    @Test
    void anotherPixKeyWithTheKeyIsRefused() {
        Transaction cashout = withKey(Transactions.goldenCashout(), "k");
        PixKey other = new PixKey(PixKey.Type.EMAIL, "ana@example.com");

        assertThat(RepeatedCreate.original(repeated(cashout, "k"), List.of(cashout)))
                .isPresent();
        assertReused(repeated(cashout, "k", changed -> changed.pixKey(other)), cashout);
    }

    @Test
    void theOtherOperationWithTheKeyIsRefused() {
        Transaction cashout =
                Transactions.like(Transactions.goldenCashout()).pixKey(null).build();

        assertReused(repeated(holder, "k"), withKey(cashout, "k"));
    }

    @Test
    void theKeyOfACancelIsRefused() {
        Transaction canceled = withKey(holder, null)
                .with(new Entry.StatusChanged(
                        Status.CANCELED, LATER, Source.MERCHANT, null, null, new ChangeRef(UUID.randomUUID(), "k")));

        assertReused(repeated(holder, "k"), canceled);
    }

    @Test
    void theReferenceOfAnotherTransactionIsAConflict() {
        for (String key : new String[] {null, "k"}) {
            Problem refusal = refusal(repeated(holder, key), withKey(holder, "another key"));

            assertThat(refusal.code()).isEqualTo(ProblemCode.REFERENCE_ALREADY_USED);
            assertThat(refusal.extensions()).containsEntry("transaction_id", holder.id());
        }
    }

    @Test
    void theKeyIsCheckedBeforeTheReference() {
        Transaction holderOfReference =
                Transactions.like(holder).createdAs(TransactionId.at(LATER)).build();

        assertThat(RepeatedCreate.original(repeated(holder, "k"), List.of(holderOfReference, holder)))
                .contains(holder.accept());
        assertReused(repeated(holder, "k", other -> other.amount(Amount.MAX)), holderOfReference, holder);
    }

    private void assertReused(Transaction refused, Transaction... holders) {
        Problem refusal = refusal(refused, holders);

        assertThat(refusal.code()).isEqualTo(ProblemCode.IDEMPOTENCY_KEY_REUSED);
        assertThat(refusal.extensions()).containsEntry("transaction_id", holders[holders.length - 1].id());
    }
}
