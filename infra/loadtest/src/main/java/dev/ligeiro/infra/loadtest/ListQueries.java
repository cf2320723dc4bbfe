package dev.ligeiro.infra.loadtest;

import static dev.ligeiro.store.TransactionFields.AMOUNT;
import static dev.ligeiro.store.TransactionFields.DOCUMENT;
import static dev.ligeiro.store.TransactionFields.ID;
import static dev.ligeiro.store.TransactionFields.NAME;
import static dev.ligeiro.store.TransactionFields.PAYER;
import static dev.ligeiro.store.TransactionFields.PHONE;
import static dev.ligeiro.store.TransactionFields.STATUS;

import com.mongodb.client.model.Filters;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.MerchantApi;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.transaction.Party;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.UuidV7;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.bson.BsonBinary;
import org.bson.conversions.Bson;
import tools.jackson.databind.JsonNode;

/**
 * The lists that a scenario asks for: without a filter, with each kind of filter and with some pairs of them, and the same conditions on
 * stored documents.
 */
final class ListQueries {

    /** Of the dates in list filters, as the gateway has it by default. */
    private static final ZoneId ZONE = ZoneId.of("America/Sao_Paulo");

    private static final int DAYS_BACK = 10;
    private static final long ANSWERED_MAX_NANOS = TimeUnit.MINUTES.toNanos(5);
    private static final long POLL_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LoadTestContext context;
    private final Map<String, Bson> conditions = new LinkedHashMap<>();
    private final List<String> found = new ArrayList<>();

    ListQueries(LoadTestContext context) {
        this.context = context;
        LocalDate day = LocalDate.ofInstant(context.sample().createdAt(), ZONE).minusDays(DAYS_BACK);
        String ofDay = "initial_date=" + day + "&final_date=" + day;
        Bson createdThen = Filters.and(Filters.gte(ID, lowestId(day)), Filters.lt(ID, lowestId(day.plusDays(1))));
        Bson paid = Filters.eq(STATUS, Status.PAID.code());
        Bson maria = Filters.regex(PAYER + "." + NAME, "Maria");
        Party payer = Customers.payer(1);
        conditions.put("", Filters.empty());
        conditions.put("status=paid", paid);
        conditions.put("name_document=Maria", maria);
        conditions.put("name_document=Maria+Costa", Filters.and(maria, Filters.regex(PAYER + "." + NAME, "Costa")));
        conditions.put("name_document=" + payer.document(), Filters.eq(PAYER + "." + DOCUMENT, payer.document()));
        conditions.put("phone=" + payer.phone().replace("+", "%2B"), Filters.eq(PAYER + "." + PHONE, payer.phone()));
        conditions.put(ofDay, createdThen);
        conditions.put(ofDay + "&status=paid", Filters.and(createdThen, paid));
        conditions.put("status=paid&name_document=Maria", Filters.and(paid, maria));
        conditions.put(
                "amount_min=100&amount_max=150",
                Filters.and(Filters.gte(AMOUNT, 100_00L), Filters.lte(AMOUNT, 150_00L)));
    }

    private static BsonBinary lowestId(LocalDate day) {
        return TransactionCodec.binary(
                UuidV7.lowest(day.atStartOfDay(ZONE).toInstant().toEpochMilli()));
    }

    /**
     * Each total must be the number of stored documents, counted without an index, while no transaction changes. A list that the gateway is
     * still counting is asked for again. Returns the number of the last page of the list without filters.
     */
    int requireExact() {
        int lastPage = 1;
        for (Map.Entry<String, Bson> query : conditions.entrySet()) {
            long startedAt = System.nanoTime();
            JsonNode page = answered(query.getKey());
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedAt);
            long total = page.required("total").asLong();
            long stored = context.stored().count(context.tenant(), query.getValue());
            Terminal.say(
                    "  list ?%s: total %d, stored %d, first answered after %d ms",
                    query.getKey(), total, stored, millis);
            if (total != stored) {
                context.faults().add("list with a wrong total", query.getKey() + ": " + total + ", stored " + stored);
            }
            if (total > 0) {
                found.add(query.getKey());
            }
            lastPage = query.getKey().isEmpty() ? page.required("last_page").asInt() : lastPage;
        }
        return lastPage;
    }

    /** The queries that find transactions. */
    List<String> found() {
        return found;
    }

    private JsonNode answered(String query) {
        String path = MerchantApi.TRANSACTIONS_PATH + "?" + query;
        long giveUpAt = System.nanoTime() + ANSWERED_MAX_NANOS;
        Answer answer = context.merchant().api().get(path);
        while (answer.status() == 503 && System.nanoTime() < giveUpAt) {
            Terminal.waitUntil(System.nanoTime() + POLL_NANOS);
            answer = context.merchant().api().get(path);
        }
        return answer.expect(200).json();
    }
}
