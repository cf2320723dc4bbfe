package dev.ligeiro.infra.loadtest.list;

import dev.ligeiro.infra.loadtest.list.fill.Fill;
import dev.ligeiro.infra.loadtest.list.fill.MerchantHistory;
import dev.ligeiro.infra.loadtest.system.CannotRunException;
import dev.ligeiro.pix.PixKey;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Terms;
import dev.ligeiro.transaction.Transaction;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The filters that are asked for, with values of stored transactions. */
final class Filters {

    private static final int DAYS_OF_A_MONTH = 30;
    private static final int DRAWS_MAX = 20_000;
    private static final int PERCENT = 100;
    private static final Status[] STATUSES = Status.values();

    private final MerchantHistory history;
    private final UUID platform;
    private final LocalDate first;
    private final int days;

    Filters(Fill fill, Transaction sample) {
        this.history = fill.history(sample);
        this.platform = fill.platform();
        this.first = LocalDate.ofInstant(fill.from(), Fill.ZONE);
        this.days = fill.days();
    }

    /** No filter, each filter, and each pair that one request can have; almost all of them match some transaction. */
    List<ListFilter> grid() {
        List<ListFilter> singles = singles();
        List<ListFilter> grid = new ArrayList<>(List.of(ListFilter.NONE));
        grid.addAll(singles);
        for (int i = 0; i < singles.size(); i++) {
            for (ListFilter other : singles.subList(i + 1, singles.size())) {
                if (singles.get(i).combinesWith(other)) {
                    grid.add(singles.get(i).and(other));
                }
            }
        }
        return grid;
    }

    private List<ListFilter> singles() {
        RandomGenerator random = new SplittableRandom(1);
        Terms terms = find(random, this::isTypical)
                .orElseGet(() -> drawn(random, Filters::hasClearKey))
                .terms();
        LocalDate day = first.plusDays(days / 2);
        return List.of(
                ListFilter.status(Status.PAID),
                ListFilter.platform(platform),
                ListFilter.name("common name", "Maria"),
                ListFilter.name("two names", "José Silva"),
                ListFilter.document(terms.payer().document()),
                ListFilter.phone(terms.payer().phone()),
                ListFilter.pixKey(key(terms)),
                ListFilter.days("day", day, day),
                ListFilter.days("month", first, first.plusDays(Math.min(days, DAYS_OF_A_MONTH) - 1)));
    }

    private boolean isTypical(Transaction transaction) {
        Terms terms = transaction.terms();
        return hasClearKey(transaction)
                && transaction.status() == Status.PAID
                && terms.platform().equals(platform)
                && terms.payer().name().startsWith("Maria ");
    }

    /** Whether the type of its Pix key is clear from the key: digits alone may be a CPF or a phone. */
    private static boolean hasClearKey(Transaction transaction) {
        PixKey key = transaction.terms().pixKey();
        return key != null && key.type() != PixKey.Type.CPF && key.type() != PixKey.Type.CNPJ;
    }

    private static String key(Terms terms) {
        return Objects.requireNonNull(terms.pixKey()).value();
    }

    /** Any filters together: a status in half of them, dates in most, a platform and words often, a customer rarely. */
    List<ListFilter> random(RandomGenerator random, int count) {
        return IntStream.range(0, count).mapToObj(i -> random(random)).toList();
    }

    private ListFilter random(RandomGenerator random) {
        ListFilter filter = ListFilter.NONE;
        if (random.nextInt(PERCENT) < 50) {
            filter = filter.and(ListFilter.status(STATUSES[random.nextInt(STATUSES.length)]));
        }
        if (random.nextInt(PERCENT) < 60) {
            // today too
            int from = random.nextInt(days + 1);
            int to = from + random.nextInt(days + 1 - from);
            filter = filter.and(ListFilter.days("days", first.plusDays(from), first.plusDays(to)));
        }
        if (random.nextInt(PERCENT) < 35) {
            filter = filter.and(
                    ListFilter.platform(drawn(random, any -> true).terms().platform()));
        }
        return filter.and(customer(random));
    }

    private ListFilter customer(RandomGenerator random) {
        int drawn = random.nextInt(PERCENT);
        Terms terms =
                drawn(random, drawn < 5 ? Filters::hasClearKey : any -> true).terms();
        List<String> words = List.of(terms.payer().name().split(" "));
        String word = words.get(random.nextInt(words.size()));
        if (drawn < 5) {
            return ListFilter.pixKey(key(terms));
        } else if (drawn < 10) {
            return ListFilter.document(terms.payer().document());
        } else if (drawn < 15) {
            return ListFilter.phone(terms.payer().phone());
        } else if (drawn < 40) {
            return ListFilter.name("name", word);
        }
        return drawn < 55 ? ListFilter.name("two names", words.get(0) + " " + word) : ListFilter.NONE;
    }

    private Transaction drawn(RandomGenerator random, Predicate<Transaction> wanted) {
        return find(random, wanted).orElseThrow(() -> new CannotRunException("--stored: too few transactions"));
    }

    private Optional<Transaction> find(RandomGenerator random, Predicate<Transaction> wanted) {
        return Stream.generate(() -> history.get(random.nextLong(history.count())))
                .limit(DRAWS_MAX)
                .filter(wanted)
                .findFirst();
    }
}
