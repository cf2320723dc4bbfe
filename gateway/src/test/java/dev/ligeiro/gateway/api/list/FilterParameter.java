package dev.ligeiro.gateway.api.list;

import static dev.ligeiro.gateway.api.list.RandomTransactions.*;

import dev.ligeiro.pix.PixKey;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Query parameters of a list, and the transactions that they must find, without hashes and indexes.
 *
 * @param text as in the URL, or empty
 */
record FilterParameter(String text, Predicate<Transaction> matches) {

    private static final ZoneId ZONE = ZoneId.of("America/Sao_Paulo");

    static final FilterParameter NONE = new FilterParameter("", any -> true);

    /** One of each kind but the dates. */
    static List<FilterParameter> oneOfEachKind(RandomTransactions random) {
        Status status = random.any(List.of(Status.PENDING, Status.PAID, Status.EXPIRED));
        Operation operation = random.any(List.of(Operation.CASHIN, Operation.CASHOUT));
        var platform = random.any(PLATFORMS);
        String first = random.any(WORDS);
        String second = random.any(WORDS);
        String document = random.any(DOCUMENTS);
        String phone = random.any(PHONES);
        long cents = random.any(AMOUNTS);
        String amount = new Amount(cents).toString();
        return List.of(
                of("status", status.code(), each -> each.status() == status),
                of("operation", operation.code(), each -> each.operation() == operation),
                of("platform", platform.toString(), each -> each.terms()
                        .platform()
                        .equals(platform)),
                of("name_document", first, each -> hasWord(each, first)),
                of("name_document", first + " " + second, each -> hasWord(each, first) && hasWord(each, second)),
                of(
                        "name_document",
                        document,
                        each -> each.terms().payer().document().equals(document)),
                of("phone", phone, each -> each.terms().payer().phone().equals(phone)),
                pixKey(random.any(PIX_KEYS)),
                of("amount_min", amount, each -> each.terms().amount().cents() >= cents),
                of("amount_max", amount, each -> each.terms().amount().cents() <= cents));
    }

    static FilterParameter pixKey(String key) {
        return of("pix_key", key, each -> isKey(each.terms().pixKey(), key));
    }

    static FilterParameter dates(LocalDate first, LocalDate last) {
        return new FilterParameter("initial_date=" + first + "&final_date=" + last, each -> {
            LocalDate created = each.id().createdAt().atZone(ZONE).toLocalDate();
            return !created.isBefore(first) && !created.isAfter(last);
        });
    }

    private static FilterParameter of(String name, String value, Predicate<Transaction> matches) {
        return new FilterParameter(name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8), matches);
    }

    private static boolean hasWord(Transaction transaction, String word) {
        return List.of(transaction.terms().payer().name().split(" ")).contains(word);
    }

    /** Eleven digits may be a CPF or a phone without +55. */
    private static boolean isKey(@Nullable PixKey key, String value) {
        return key != null && (key.value().equals(value) || key.value().equals("+55" + value));
    }

    /** Null if a list cannot have both, because they have a parameter in common. */
    @Nullable
    FilterParameter and(FilterParameter other) {
        if (text.isEmpty() || other.text.isEmpty()) {
            return text.isEmpty() ? other : this;
        }
        return names().stream().anyMatch(other.names()::contains)
                ? null
                : new FilterParameter(text + "&" + other.text, matches.and(other.matches));
    }

    private Set<String> names() {
        return Arrays.stream(text.split("&"))
                .map(each -> each.substring(0, each.indexOf('=')))
                .collect(Collectors.toSet());
    }
}
