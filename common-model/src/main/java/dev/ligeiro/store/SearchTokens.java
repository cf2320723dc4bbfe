package dev.ligeiro.store;

import dev.ligeiro.transaction.Terms;
import dev.ligeiro.transaction.TransactionId;
import java.text.Normalizer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The search tokens of a transaction: 64-bit hashes of (field, normalised value), stored in one multikey index instead of one
 * index per field. A list query selects by token alone: the gateway's RATIONALE.md has the chance of a collision.
 *
 * <p>A token is stored with the transaction's day in front ({@link #stored}), so that the tokens of a tenant and day lie side by side in the
 * index, and inserts change only its newest part. Transactions from before a day that MongoDB holds have tokens without a day.
 */
public final class SearchTokens {

    /** Instead of a day: the token is stored without one. */
    public static final long NO_DAY = -1;

    /** The id, in {@link CollectionNames#LEASES}, of the document with {@link #DAYS_FROM}. The first gateway writes it; it never changes. */
    public static final String DAYS_ID = "search_token_days";

    /** The first day whose transactions have tokens with their day, by its number since 1970. */
    public static final String DAYS_FROM = "from";

    private static final Pattern MARKS = Pattern.compile("\\p{M}+");
    private static final Pattern NOT_A_WORD = Pattern.compile("[^\\p{L}\\p{N}]+");
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private static final int HASH_BITS = 48;

    private SearchTokens() {}

    /** All tokens of a transaction with these terms, without duplicates. */
    public static Set<Long> of(Terms terms) {
        Set<Long> tokens = new LinkedHashSet<>();
        tokens.add(platform(terms.platform()));
        if (terms.payer().wasRemoved()) {
            return tokens;
        }
        tokens.add(document(terms.payer().document()));
        tokens.add(phone(terms.payer().phone()));
        words(terms.payer().name()).forEach(word -> tokens.add(nameWord(word)));
        if (terms.pixKey() != null) {
            tokens.add(pixKey(terms.pixKey().value()));
        }
        return tokens;
    }

    /**
     * A token as it is stored: 16 bits of the day, then 48 of the hash.
     *
     * @param day as {@link #day} returns it
     */
    public static long stored(long token, long day) {
        return day == NO_DAY ? token : day << HASH_BITS | token & (1L << HASH_BITS) - 1;
    }

    /**
     * Those of a transaction's stored tokens that it still has with these terms.
     *
     * @param id of the transaction: its tokens have its day, or none
     */
    public static List<Long> left(List<Long> stored, TransactionId id, Terms terms) {
        long day = BucketVersionFields.epochDay(id);
        Set<Long> left = of(terms).stream()
                .flatMap(token -> Stream.of(token, stored(token, day)))
                .collect(Collectors.toSet());
        return stored.stream().filter(left::contains).toList();
    }

    /**
     * The day with which the tokens of a transaction are stored, or {@link #NO_DAY}.
     *
     * @param id holds the time of creation, in UTC
     * @param daysFrom the first day whose transactions have tokens with their day
     */
    public static long day(TransactionId id, long daysFrom) {
        long day = BucketVersionFields.epochDay(id);
        return day < daysFrom ? NO_DAY : day;
    }

    public static long platform(UUID platform) {
        return hash('l', platform.toString());
    }

    public static long document(String document) {
        return hash('d', document);
    }

    /** Of one who has paid the cashin of another. It is stored without a day, once the rail has named them. */
    public static long payer(String taxId) {
        return hash('b', taxId);
    }

    public static long phone(String phone) {
        return hash('p', phone);
    }

    public static long pixKey(String pixKey) {
        return hash('k', pixKey);
    }

    /**
     * Equal for words that differ in case only (Unicode's full case folding): {@code gross}, {@code groß} and {@code GROSS}.
     *
     * @param word one of {@link #words}
     */
    public static long nameWord(String word) {
        return hash('n', caseFolded(word));
    }

    /** The tokens by which transactions with the word are found; those from before December 2026 have the word without case folding. */
    public static Set<Long> nameWordForms(String word) {
        return new LinkedHashSet<>(List.of(nameWord(word), hash('n', word)));
    }

    /** Splits a name into search words: without accents, in lower case, separated by all characters but letters and digits. */
    public static List<String> words(String name) {
        String plain = isAscii(name)
                ? name
                : MARKS.matcher(Normalizer.normalize(name, Normalizer.Form.NFKD))
                        .replaceAll("");
        return Stream.of(NOT_A_WORD.split(plain.toLowerCase(Locale.ROOT)))
                .filter(word -> !word.isEmpty())
                .collect(Collectors.toList());
    }

    /** Lower case first, for the capital ẞ; upper case makes SS of ß, and lower case one form of σ and ς. */
    private static String caseFolded(String word) {
        return isAscii(word)
                ? word
                : word.toLowerCase(Locale.ROOT).toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
    }

    private static boolean isAscii(String text) {
        return text.chars().allMatch(character -> character < 0x80);
    }

    /** FNV-1a over the UTF-16 units, then a final mix that spreads similar values over the 64 bits. */
    private static long hash(char field, String value) {
        long hash = (FNV_OFFSET ^ field) * FNV_PRIME;
        for (int i = 0; i < value.length(); i++) {
            hash = (hash ^ value.charAt(i)) * FNV_PRIME;
        }
        hash = (hash ^ (hash >>> 32)) * 0xd6e8feb86659fd93L;
        return hash ^ (hash >>> 32);
    }
}
