package dev.ligeiro.gateway.api.list;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.pix.PixKey;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Party;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;

/** Transactions with random values out of few, so that filters and pairs of them match many. */
final class RandomTransactions {

    static final List<UUID> PLATFORMS =
            List.of(UUID.fromString("0f0f0f0f-0000-4000-8000-000000000001"), Transactions.PLATFORM);
    static final List<String> WORDS = List.of("maria", "joana", "silva", "souza", "lima", "pereira");
    static final List<String> DOCUMENTS = List.of("52998224725", "11144477735", "11222333000181");
    static final List<String> PHONES = List.of("+5511987654321", "+552133334444", "+14155552671");
    /** The first one may also be a phone. */
    static final List<String> PIX_KEYS = List.of("52998224725", "+5552998224725", "maria@example.com");

    static final List<Long> AMOUNTS = List.of(9_99L, 10_00L, 150_75L, 2_000_00L);

    private static final long DAY_MS = 86_400_000;

    private final Transaction like;
    private final Random random;

    RandomTransactions(Transaction like, Random random) {
        this.like = like;
        this.random = random;
    }

    /** Created within some days from {@code first} on, several of them in the same millisecond. */
    List<Transaction> within(Instant first, int days, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> first.plusMillis(random.nextInt(days * 20) * (DAY_MS / 20) + random.nextInt(20)))
                .map(this::createdAt)
                .toList();
    }

    Transaction createdAt(Instant at) {
        String name = "%s da %s".formatted(any(WORDS), any(WORDS));
        String key = any(PIX_KEYS);
        PixKey.Type type =
                key.contains("@") ? PixKey.Type.EMAIL : key.startsWith("+") ? PixKey.Type.PHONE : PixKey.Type.CPF;
        return Transactions.like(like)
                .createdAs(TransactionId.at(at))
                .accepted(true)
                .reference(null)
                .platform(any(PLATFORMS))
                .payer(new Party(name, "any@example.com", any(PHONES), any(DOCUMENTS)))
                .pixKey(random.nextBoolean() ? new PixKey(type, key) : null)
                .amount(new Amount(any(AMOUNTS)))
                .status(any(List.of(Status.PENDING, Status.PAID, Status.EXPIRED)))
                .build();
    }

    <T> T any(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }
}
