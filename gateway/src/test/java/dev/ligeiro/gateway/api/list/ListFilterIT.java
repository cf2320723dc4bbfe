package dev.ligeiro.gateway.api.list;

import static dev.ligeiro.gateway.fixture.TestMerchant.ALL;
import static dev.ligeiro.gateway.fixture.TestMerchant.CASHOUT;
import static dev.ligeiro.gateway.fixture.TestMerchant.ONE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.gateway.fixture.WithGateway;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.PostingFields;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Three transactions; every filter of the list selects some of them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ListFilterIT extends WithGateway {

    private final String otherPlatform;
    private final String zoe;
    private final String joao;
    private final String loja;

    ListFilterIT() {
        this.otherPlatform = merchant.newPlatform();
        this.zoe = merchant.created(merchant.cashin().put("reference", "order-1"));
        this.joao = merchant.created(merchant.cashin()
                .put("reference", "order-2")
                .put("name", "João d'Ávila Conceição")
                .put("phone", "+552133334444")
                .put("document", "111.444.777-35")
                .put("amount", 20)
                .put("platform", otherPlatform));
        this.loja = merchant.api()
                .post(
                        CASHOUT,
                        merchant.cashout()
                                .put("name", "LOJA 24 HORAS")
                                .put("document", "12.ABC.345/01DE-35")
                                .put("phone", "+14155552671")
                                .put("pix_key", "11.222.333/0001-81")
                                .put("key_type", "CNPJ"))
                .expect(201)
                .transactionId();
        stored.move(joao, Status.PAID);
    }

    private static String query(String name, String value) {
        return name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    /** The names of the found transactions, in the order of the list. */
    private String found(String query) {
        Answer answer = merchant.api().get(ALL + "?" + query).expect(200);
        List<String> names = new ArrayList<>();
        answer.json()
                .path("transactions")
                .forEach(item -> names.add(nameOf(item.path("id").stringValue())));
        assertThat(answer.json().path("total").asInt()).isEqualTo(names.size());
        return String.join(" ", names);
    }

    private String nameOf(String id) {
        return id.equals(zoe) ? "zoe" : id.equals(joao) ? "joao" : id.equals(loja) ? "loja" : id;
    }

    @ParameterizedTest
    @CsvSource({
        "reference,     order-1,              zoe",
        "reference,     ' order-2 ',          joao",
        "reference,     order,                ''",
        "reference,     ORDER-1,              ''",
        "operation,     cashin,               joao zoe",
        "operation,     cashout,              loja",
        "status,        pending,              loja zoe",
        "status,        paid,                 joao",
        "status,        denied,               ''",
        "name_document, 529.982.247-25,       zoe",
        "name_document, 11144477735,          joao",
        "name_document, 12abc34501de35,       loja",
        "name_document, conceicao,            joao zoe",
        "name_document, 'CONCEIÇÃO  zoë',     zoe",
        "name_document, 'avila d joao',       joao",
        "name_document, conc,                 ''",
        "name_document, 'zoe joao',           ''",
        "name_document, 24,                   loja",
        "phone,         11987654321,          zoe",
        "phone,         '+55 (21) 3333-4444', joao",
        "phone,         +14155552671,         loja",
        "phone,         21999999999,          ''",
        "pix_key,       11222333000181,       loja",
        "pix_key,       11.222.333/0001-81,   loja",
        "pix_key,       maria@example.com,    ''",
        "amount_min,    20.01,                loja zoe",
        "amount_min,    20,                   loja joao zoe",
        "amount_max,    20.00,                joao",
        "amount_max,    19.99,                ''",
        "amount_max,    0,                    ''",
        "initial_date,  2026-01-01,           loja joao zoe",
        "final_date,    2020-01-01,           ''",
        "page,          1,                    loja joao zoe",
    })
    void aFilterFindsOnlyMatchingTransactions(String name, String value, String expected) {
        assertThat(found(query(name, value))).isEqualTo(expected);
    }

    @Test
    void anIdentifierFindsOne() {
        assertThat(found("identifier=" + zoe.toUpperCase(Locale.ROOT))).isEqualTo("zoe");
        assertThat(found("identifier=019cd831-1973-7abc-9def-0123456789ab")).isEmpty();
    }

    @Test
    void anEndToEndIdFindsTheMerchantsOwnTransaction() {
        String payment = merchant.api()
                .get(ONE + joao)
                .expect(200)
                .transaction()
                .path("e2e_id")
                .stringValue();

        assertThat(found("e2e_id=" + payment)).isEqualTo("joao");
        assertThat(found("e2e_id=" + payment + "&status=pending")).isEmpty();
        assertThat(found("e2e_id=E99999999202611211331aB3dE5fG7hK")).isEmpty();
        assertThat(gateway.newMerchant()
                        .api()
                        .get(ALL + "?e2e_id=" + payment)
                        .expect(200)
                        .json()
                        .path("total")
                        .asInt())
                .isZero();
    }

    @Test
    void aRefundThatWasMadeFindsItsTransaction() {
        RefundId refund = RefundId.at(Instant.now());
        Transaction paid = stored.append(
                joao,
                new Entry.RefundRequested(refund, new Amount(1_00), Source.MERCHANT, null, null, Instant.now(), null));
        stored.insert(
                CollectionNames.POSTINGS,
                new Document(PostingFields.ID, "refund_" + refund)
                        .append(PostingFields.TENANT, paid.tenant().key())
                        .append(PostingFields.TRANSACTION_ID, paid.id().value()));

        assertThat(found("refund_id=" + refund)).isEqualTo("joao");
        assertThat(found("refund_id=" + refund + "&status=pending")).isEmpty();
        assertThat(found("refund_id=" + UUID.randomUUID())).isEmpty();
        assertThat(gateway.newMerchant()
                        .api()
                        .get(ALL + "?refund_id=" + refund)
                        .expect(200)
                        .json()
                        .path("total")
                        .asInt())
                .isZero();
    }

    @Test
    void aPlatformFindsItsTransactions() {
        assertThat(found("platform=" + merchant.platform())).isEqualTo("loja zoe");
        assertThat(found("platform=" + otherPlatform.toUpperCase(Locale.ROOT))).isEqualTo("joao");
    }

    /** A reference is unique: its list has one page, and no link to a next one. */
    @ParameterizedTest
    @ValueSource(
            strings = {"a&b=c", "{reference}", "100%", "%41", "one two", "+1", "é 日本 😀", "#/?:@", "\"'<>\\^`|", "$ne"})
    void aReferenceIsMatchedExactly(String reference) {
        TestMerchant owner = gateway.newMerchant();
        String id = owner.created(owner.cashin().put("reference", reference));
        owner.created(owner.cashin());

        Answer found =
                owner.api().get(ALL + "?" + query("reference", reference)).expect(200);

        assertThat(found.json().path("total").asInt()).isEqualTo(1);
        assertThat(found.json().path("transactions").path(0).path("id").stringValue())
                .isEqualTo(id);
    }

    @Test
    void filtersCombineWithAnd() {
        assertThat(found("status=pending&name_document=conceicao")).isEqualTo("zoe");
        assertThat(found("reference=order-1&status=pending&identifier=" + zoe)).isEqualTo("zoe");
        assertThat(found("reference=order-1&status=paid")).isEmpty();
        assertThat(found("reference=order-1&identifier=" + joao)).isEmpty();
        assertThat(found("phone=11987654321&name_document=52998224725&platform=" + merchant.platform()
                        + "&initial_date=2026-01-01&final_date=9999-12-31"))
                .isEqualTo("zoe");
        assertThat(found("pix_key=11222333000181&phone=11987654321")).isEmpty();
        assertThat(found("operation=cashin&status=pending")).isEqualTo("zoe");
        assertThat(found("operation=cashin&name_document=conceicao&initial_date=2026-01-01"))
                .isEqualTo("joao zoe");
        assertThat(found("operation=cashout&status=paid")).isEmpty();
        assertThat(found("amount_min=20&amount_max=20")).isEqualTo("joao");
        assertThat(found("amount_min=20.01&operation=cashin")).isEqualTo("zoe");
        assertThat(found("amount_max=150.75&status=pending&name_document=conceicao"))
                .isEqualTo("zoe");
        assertThat(found("amount_min=20.01&identifier=" + joao)).isEmpty();
    }
}
