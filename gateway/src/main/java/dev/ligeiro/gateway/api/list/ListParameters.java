package dev.ligeiro.gateway.api.list;

import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.pix.Phone;
import dev.ligeiro.pix.TaxId;
import dev.ligeiro.store.SearchTokens;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.TransactionId;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.Year;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The query parameters of a list, and the parsers of their values. */
final class ListParameters {

    static final Set<String> FILTERS = Set.of(
            "identifier",
            "reference",
            "status",
            "name_document",
            "phone",
            "initial_date",
            "final_date",
            "platform",
            "pix_key");

    static final Set<String> KNOWN =
            Stream.concat(FILTERS.stream(), Stream.of("after", "page")).collect(Collectors.toUnmodifiableSet());

    /** The highest page number that a request may have. */
    static final int PAGE_MAX = 999_999_999;

    private static final int REFERENCE_MAX = 50;
    private static final int UUID_VERSION = 7;
    private static final int YEAR_MIN = 1970;
    private static final Pattern DATE = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");
    private static final Pattern PAGE = Pattern.compile("[0-9]{1,9}");

    private ListParameters() {}

    static TransactionId transactionId(String text) {
        return new TransactionId(Fields.uuid(text));
    }

    /** The id of a row as lists show it. */
    static TransactionId after(String text) {
        return TransactionId.parse(text)
                .filter(id -> id.value().version() == UUID_VERSION)
                .orElseThrow(() -> new IllegalArgumentException("expected the id of a transaction"));
    }

    static UUID uuid(String text) {
        return Fields.uuid(text);
    }

    static String reference(String text) {
        if (text.codePointCount(0, text.length()) > REFERENCE_MAX) {
            throw new IllegalArgumentException("expected at most " + REFERENCE_MAX + " characters");
        }
        return text;
    }

    static Status status(String text) {
        return Status.findByCode(text)
                .orElseThrow(() -> new IllegalArgumentException("expected one of "
                        + Arrays.stream(Status.values()).map(Status::code).toList()));
    }

    static NameOrDocument nameOrDocument(String text) {
        try {
            return new NameOrDocument(TaxId.parse(text).value(), List.of());
        } catch (IllegalArgumentException notADocument) {
            List<String> words = SearchTokens.words(text).stream().distinct().toList();
            if (words.isEmpty()) {
                throw new IllegalArgumentException("expected a CPF, a CNPJ or words of a name");
            }
            return new NameOrDocument(null, words);
        }
    }

    static String phone(String text) {
        return Phone.parse(text).value();
    }

    static LocalDate date(String text) {
        try {
            if (DATE.matcher(text).matches() && Year.parse(text.substring(0, 4)).getValue() >= YEAR_MIN) {
                return LocalDate.parse(text);
            }
        } catch (DateTimeException noSuchDay) {
            // same message as for a date in another form
        }
        throw new IllegalArgumentException("expected a date of the form YYYY-MM-DD, from 1970 on");
    }

    static Integer page(String text) {
        if (!PAGE.matcher(text).matches() || Integer.parseInt(text) < 1) {
            throw new IllegalArgumentException("expected a page number from 1");
        }
        return Integer.valueOf(text);
    }

    /** A complete document, otherwise whole words of a name. */
    record NameOrDocument(@Nullable String document, List<String> nameWords) {}
}
