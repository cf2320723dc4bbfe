package dev.ligeiro.desk.figure;

import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.ReadPreference;
import dev.ligeiro.desk.console.Answers.Figures;
import dev.ligeiro.desk.merchant.MerchantStore;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.merchant.Merchant;
import dev.ligeiro.store.BalanceFields;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.DenialCount;
import dev.ligeiro.store.PaidFigures;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.UuidV7;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The operators' overview: what was paid on each of the last days, and how long it took. */
@Controller
public class FigurePages {

    private static final List<Integer> RANGES = List.of(7, 30, 92);
    private static final long DENIALS_SECONDS_MAX = 1;

    private final PaidDays paid;
    private final MerchantStore merchants;
    private final MongoTemplate mongo;
    private final ZoneId zone;
    private final Clock clock;

    FigurePages(
            PaidDays paid,
            MerchantStore merchants,
            MongoTemplate mongo,
            @Value("${ligeiro.time-zone}") ZoneId zone,
            Clock clock) {
        this.paid = paid;
        this.merchants = merchants;
        this.mongo = mongo;
        this.zone = zone;
        this.clock = clock;
    }

    @GetMapping("/console/figures")
    @Needs(Role.READ)
    String show(
            @RequestParam(defaultValue = "30") int days,
            @RequestParam(defaultValue = "live") Mode mode,
            @RequestParam @Nullable UUID merchant,
            Model model) {
        int range = RANGES.contains(days) ? days : 30;
        LocalDate today = LocalDate.ofInstant(clock.instant(), zone);
        List<LocalDate> dates =
                IntStream.range(0, range).mapToObj(today::minusDays).toList();
        Instant from = start(dates.get(range - 1));
        Instant before = start(today.plusDays(1));
        List<Integer> utcDays = IntStream.rangeClosed(BalanceFields.day(from), BalanceFields.day(before))
                .boxed()
                .toList();
        Merchant one = merchant == null
                ? null
                : merchants.find(merchant).orElseThrow(() -> Problem.notFound("There is no such merchant"));
        Tenant tenant = one == null ? null : Tenant.of(one.number(), mode);
        Map<Integer, Document> balances = tenant == null ? paid.ofAll(mode, utcDays) : paid.of(tenant, utcDays);
        boolean isAdding = tenant == null && !balances.keySet().containsAll(utcDays);
        List<Figures> figures = new ArrayList<>();
        List<@Nullable PaidFigures> known = new ArrayList<>();
        for (LocalDate date : dates) {
            Instant start = start(date);
            Instant end = start(date.plusDays(1));
            boolean isKnown = tenant != null
                    || balances.containsKey(BalanceFields.day(start))
                            && balances.containsKey(BalanceFields.day(end.minusMillis(1)));
            known.add(isKnown ? PaidFigures.of(balances, start, end) : null);
            figures.add(figures(date, known.get(known.size() - 1)));
        }
        model.addAttribute("days", figures);
        model.addAttribute("total", figures(null, PaidFigures.sum(known)));
        model.addAttribute("isAdding", isAdding);
        model.addAttribute("range", range);
        model.addAttribute("ranges", RANGES);
        model.addAttribute("mode", mode);
        model.addAttribute("merchant", one);
        model.addAttribute("denials", tenant == null ? null : denials(tenant, from, before));
        return "figure/page";
    }

    /** @param paid null while the payments are being added up, and if the books have not counted them */
    private static Figures figures(@Nullable LocalDate date, @Nullable PaidFigures paid) {
        return paid == null
                ? new Figures(date, null, null, null, null, null, null, null)
                : new Figures(
                        date,
                        null,
                        paid.cashins(),
                        Amount.decimal(paid.cashinCents()),
                        paid.cashouts(),
                        Amount.decimal(paid.cashoutCents()),
                        seconds(paid, 0.5),
                        seconds(paid, 0.99));
    }

    /** How long the quicker cashins took to be paid. */
    private static @Nullable Long seconds(PaidFigures paid, double share) {
        return paid.secondsToPay(share).map(Math::round).orElse(null);
    }

    /** Null if MongoDB takes too long. */
    private @Nullable List<DenialCount> denials(Tenant tenant, Instant from, Instant before) {
        try {
            return mongo.getCollection(CollectionNames.TRANSACTIONS)
                    .withReadPreference(ReadPreference.secondaryPreferred())
                    .aggregate(DenialCount.pipeline(
                            tenant, UuidV7.lowest(from.toEpochMilli()), UuidV7.lowest(before.toEpochMilli())))
                    .maxTime(DENIALS_SECONDS_MAX, TimeUnit.SECONDS)
                    .map(DenialCount::of)
                    .into(new ArrayList<>());
        } catch (MongoExecutionTimeoutException slow) {
            return null;
        }
    }

    private Instant start(LocalDate date) {
        return date.atStartOfDay(zone).toInstant();
    }
}
