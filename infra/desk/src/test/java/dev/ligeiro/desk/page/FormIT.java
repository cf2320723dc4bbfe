package dev.ligeiro.desk.page;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.desk.audit.AuditEntry;
import dev.ligeiro.desk.fixture.RunningDesk;
import dev.ligeiro.desk.fixture.SharedDesk;
import dev.ligeiro.desk.fixture.Stored;
import dev.ligeiro.desk.fixture.Visitor;
import dev.ligeiro.desk.http.ByForm;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.view.Language;
import jakarta.validation.Validator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Query;

@ExtendWith(SharedDesk.class)
class FormIT {

    /** What pages of their own ask for: whom a stop stops is chosen, and all merchants are an explicit choice. */
    private static final Set<String> OWN_PAGE = Set.of("stops cashouts", "stops routes", "keys find");

    private final RunningDesk desk;
    private final Visitor visitor;

    FormIT(RunningDesk desk) {
        this.desk = desk;
        this.visitor = Visitor.signedIn(desk, RunningDesk.ADMIN_TOKEN);
    }

    private String merchant() {
        return desk.admin()
                .post("/admin/merchants", Map.of("name", "Loja da Ana"))
                .expect(201)
                .text("id");
    }

    @Test
    void aFormMakesWhatTheApiMakes() {
        Answer sent = visitor.send(
                "/console/do/merchants/make?back=/console/merchants/%7Bid%7D",
                "name", " Café ", "fees.cashin.percent", "1,25", "fees.cashin.fixed", "R$ 1.000,10");

        String location = sent.expect(303).header("Location");
        Answer made = desk.admin().get(location.replace("/console", "/admin"));
        assertThat(made.text("name")).isEqualTo("Café");
        assertThat(made.json().at("/fees/cashin").toString())
                .isEqualTo("{\"percent\":\"1.2500\",\"fixed\":\"1000.10\"}");
        assertThat(made.json().at("/fees/cashout").isMissingNode()).isTrue();
    }

    @Test
    void allErrorsAreAtTheirFieldsInTheReadersLanguage() {
        Answer refused = visitor.speaking("pt-BR")
                .send(
                        "/console/do/merchants/make",
                        "city",
                        "中",
                        "fees.cashin.percent",
                        "101",
                        "fees.cashin.fixed",
                        "muito");

        assertThat(refused.expect(422).body())
                .contains(
                        "id=\"field-name-error\">Informe um valor",
                        "id=\"field-city-error\">Use letras latinas",
                        "id=\"field-fees-cashin-percent-error\">Informe 0 a 100",
                        "id=\"field-fees-cashin-fixed-error\">Informe um valor como 12,50",
                        "value=\"muito\"",
                        "Verifique os campos marcados.");
    }

    @Test
    void aFormShowsTodaysValuesAndRefusesOnceTheyHaveChanged() {
        String merchant = merchant();
        String path = "/console/do/merchants/set-limits?back=/console/merchants&merchant_id=" + merchant;
        desk.admin()
                .put("/admin/merchants/" + merchant + "/limits", Map.of("cashin", Map.of("amount_max", "500.00")))
                .expect(204);
        Answer form = visitor.get(path);
        assertThat(form.expect(200).body()).contains("Loja da Ana", "name=\"cashin.amount_max\" value=\"500.00\"");
        Map<String, String> late = Map.of("_csrf", hidden(form, "_csrf"), "shown", hidden(form, "shown"));

        visitor.send(path, "cashin.amount_max", "400").expect(303);
        Answer changed = visitor.post(path, late);

        assertThat(changed.expect(409).body())
                .contains("Somebody has changed this", "name=\"cashin.amount_max\" value=\"400.00\"");
        assertThat(desk.admin()
                        .get("/admin/merchants/" + merchant)
                        .json()
                        .at("/limits/cashin/amount_max")
                        .asString())
                .isEqualTo("400.00");
    }

    private static String hidden(Answer page, String name) {
        String start = "name=\"" + name + "\" value=\"";
        int begin = page.body().indexOf(start) + start.length();
        return page.body().substring(begin, page.body().indexOf('"', begin));
    }

    @Test
    void aChoiceThatTheLinkMakesIsToldAndCannotBeChanged() {
        String path = "/console/do/merchants/add-platform?mode=live&merchant_id=" + merchant();
        assertThat(visitor.get(path).body()).contains("<dd>Live</dd>").doesNotContain("<select");

        visitor.send(path, "name", "Site", "mode", "test").expect(303);

        assertThat(visitor.get("/console").body()).contains("The platform exists: ");
    }

    /** Also when the link spells the field's name in another way. */
    @ParameterizedTest
    @ValueSource(strings = {"amount", "%61mount"})
    void aLinkTypesNoSum(String amount) {
        String link = "/console/do/approvals/approve?transaction_id=" + waiting(1_234_56) + "&" + amount
                + "=1234.56&reason=ok&fields=none";

        assertThat(visitor.get(link).expect(200).body()).contains("name=\"amount\" value=\"\"", "<dd>ok</dd>");
        visitor.send(link, "amount", "").expect(422);
    }

    private TransactionId waiting(long cents) {
        return Stored.of(desk).waiting(Transactions.cashout(new Amount(cents))).id();
    }

    /** Such a sum is the only thing that a form demands and the API does not. */
    @Test
    void whatOnlyFormsDemandIsAnAmount() {
        List<String> demanded = new ArrayList<>();
        desk.bean(Capabilities.class).all().values().stream()
                .filter(capability -> capability.body() != null)
                .forEach(
                        capability -> desk
                                .bean(Validator.class)
                                .getConstraintsForClass(capability.body())
                                .getConstrainedProperties()
                                .stream()
                                .filter(property -> property.findConstraints()
                                        .unorderedAndMatchingGroups(ByForm.class)
                                        .hasConstraints())
                                .forEach(property -> {
                                    demanded.add(capability.verb());
                                    assertThat(FormField.of(capability))
                                            .filteredOn(field -> field.name().equals(property.getPropertyName()))
                                            .extracting(FormField::kind)
                                            .containsExactly(FormField.Kind.AMOUNT);
                                }));

        assertThat(demanded).contains("approve", "propose");
    }

    @Test
    void aLinkHidesNoValueThatTheFormReplaces() {
        String merchant = merchant();
        String guard = "/admin/merchants/" + merchant + "/guard";
        desk.admin()
                .put(guard, Map.of("mode", "live", "amount_max", "500.00", "approval_above", "100.00"))
                .expect(200);
        String form = "/console/do/guards/replace?merchant_id=" + merchant;
        String link = form + "&mode=live&amount_max=900&fields=none";

        assertThat(visitor.get(link).expect(200).body())
                .contains(
                        "<dd>Live</dd>",
                        "name=\"amount_max\" value=\"500.00\"",
                        "name=\"approval_above\" value=\"100.00\"",
                        "name=\"funds_check\"");
        visitor.send(link, "amount_max", "500.00", "approval_above", "90").expect(303);
        assertThat(desk.admin().get(guard + "?mode=live").body())
                .contains("\"amount_max\":\"500.00\"", "\"approval_above\":\"90.00\"");
        visitor.get(form).expect(404);
    }

    @Test
    void aFormSendsWhatItTells() {
        String merchant = merchant();
        String one = "/admin/merchants/" + merchant;
        desk.admin().put(one + "/refunds", Map.of("commission_returns", true)).expect(204);
        String link = "/console/do/merchants/set-refunds?merchant_id=" + merchant + "&commission_returns=";

        assertThat(visitor.get(link + "false").expect(200).body()).contains("<dd>false</dd>");
        visitor.send(link + "false").expect(303);
        visitor.send(link + "maybe").expect(422);

        assertThat(desk.admin().get(one).body()).contains("\"commission_returns\":false");
    }

    @Test
    void aFormTellsOfTheTransactionThatItSends() {
        String link = "/console/do/resolutions/propose?decision=denied&transaction=" + waiting(1_234_56)
                + "&transaction_id=" + waiting(77);

        assertThat(visitor.get(link).expect(200).body())
                .contains("R$\u00a01,234.56")
                .doesNotContain("R$\u00a00.77");
    }

    @Test
    void rolesHoldInForms() {
        Visitor reader = Visitor.signedIn(desk, RunningDesk.READER_TOKEN);
        assertThat(reader.get("/console/do/merchants/make").expect(403).body()).contains("You lack the role");
        String limits = "/console/do/merchants/set-limits?merchant_id=" + merchant();
        reader.send(limits, "cashin.amount_max", "1").expect(403);
        Visitor.signedIn(desk, RunningDesk.OPERATOR_TOKEN)
                .send(limits, "cashin.amount_max", "100")
                .expect(303);
    }

    @Test
    void unknownFormsAndSubjectsAreNotFound() {
        visitor.get("/console/do/merchants/nothing").expect(404);
        visitor.get("/console/do/merchants/list").expect(404);
        visitor.get("/console/do/stops/cashouts").expect(404);
        visitor.get("/console/do/merchants/rename?merchant_id=none").expect(404);
        visitor.get("/console/do/merchants/rename?merchant_id=01900000-0000-7000-8000-000000000000")
                .expect(404);
    }

    /** The reader may change nothing, so each form is refused, by its role, its body or its subject. */
    @Test
    void eachRefusedFormLeavesTheEntryOfItsRoute() {
        Visitor reader = Visitor.signedIn(desk, RunningDesk.READER_TOKEN);
        String csrf = hidden(reader.get("/console"), "_csrf");
        desk.bean(Capabilities.class).all().values().stream()
                .filter(capability ->
                        capability.isChange() && !capability.verb().equals("find"))
                .forEach(capability -> {
                    String name = capability.group() + " " + capability.verb();
                    String ids = capability.variables().stream()
                            .map(variable -> variable + "=" + UUID.randomUUID() + "&")
                            .collect(Collectors.joining());
                    String path = (OWN_PAGE.contains(name) ? "/console/" : "/console/do/") + name.replace(' ', '/');
                    String requestId = UUID.randomUUID().toString();
                    int status = reader.with("X-Request-Id", requestId)
                            .post(path + "?" + ids, Map.of("_csrf", csrf))
                            .status();
                    Query ofRequest = Query.query(Criteria.where("requestId").is(requestId));
                    AuditEntry entry = requireNonNull(desk.mongo().findOne(ofRequest, AuditEntry.class), name);

                    assertThat(entry.status()).as(name).isEqualTo(status).isBetween(400, 499);
                    assertThat(entry.action()).as(name).contains(" /admin/");
                    assertThat(entry.path()).as(name).startsWith("/admin/").doesNotContain("{");
                });
    }

    /** Whoever adds a capability writes what its form says, in both languages. */
    @ParameterizedTest
    @EnumSource(Language.class)
    void eachCapabilityHasTheTextsOfItsForm(Language language) {
        List<String> missing = new ArrayList<>();
        desk.bean(Capabilities.class).all().values().stream()
                .filter(capability ->
                        capability.isChange() && !OWN_PAGE.contains(capability.group() + " " + capability.verb()))
                .forEach(capability -> {
                    String form = "form." + capability.group() + "." + capability.verb();
                    if (language.find(form) == null) {
                        missing.add(form);
                    }
                    for (FormField field : FormField.of(capability)) {
                        if (language.find(form + "." + field.name()) == null
                                && language.find("form." + field.name()) == null) {
                            missing.add(form + "." + field.name());
                        }
                    }
                });
        assertThat(missing).isEmpty();
    }
}
