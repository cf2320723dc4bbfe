package dev.ligeiro.infra.loadtest.generate;

import dev.ligeiro.infra.loadtest.ledger.Call;
import dev.ligeiro.infra.loadtest.ledger.Naming;

/** A request that creates a transaction: all of it prepared but what differs from call to call. */
final class CreateRequest {

    private static final String BODY =
            """
            {"name":"|AAAAA| |BBBBB| |CCCCC|","email":"cliente|EEEEEEEEEE|@example.com","phone":"+55119|PPPPPPPP|",\
            "description":"Pedido |NNNNNNNNNN| da loja de teste","document":"|DDDDDDDDDDD|","amount":1|MM|.%s,\
            "platform":"%s","reference":"%s|RRRRRRRRRR|","extra":"%s|XXXXXXXXXXXXXXXX|"%s}""";
    private static final String PIX_KEY = ",\"key_type\":\"EMAIL\",\"pix_key\":\"cliente|KKKKKKKKKK|@example.com\"";

    private final Template template;
    private final Naming naming;
    private final int firstName;
    private final int middleName;
    private final int lastName;
    private final int email;
    private final int phone;
    private final int description;
    private final int document;
    private final int amount;
    private final int reference;
    private final int extra;
    private final int pixKey;

    CreateRequest(Call call, Merchant merchant, Naming naming) {
        boolean isCashin = call.isCashin();
        String cents = call == Call.PAID_CASHIN ? "11" : "50";
        String body = BODY.formatted(
                cents, merchant.platformId(), naming.referenceStart(), Naming.extraStart(), isCashin ? "" : PIX_KEY);
        this.naming = naming;
        this.template =
                Template.post("/api/v1/transaction/pix/" + (isCashin ? "cashin" : "cashout"), merchant.headers(), body);
        this.firstName = template.place('A');
        this.middleName = template.place('B');
        this.lastName = template.place('C');
        this.email = template.place('E');
        this.phone = template.place('P');
        this.description = template.place('N');
        this.document = template.place('D');
        this.amount = template.place('M');
        this.reference = template.place('R');
        this.extra = template.place('X');
        this.pixKey = isCashin ? -1 : template.place('K');
    }

    /** The bytes of call {@code number}; good until the next one is asked for. */
    byte[] bytes(long number) {
        long customer = Customers.of(number);
        template.write(firstName, Customers.firstName(customer));
        template.write(middleName, Customers.middleName(customer));
        template.write(lastName, Customers.lastName(customer));
        template.writeDigits(email, Naming.DIGITS, number);
        template.writeDigits(phone, Customers.PHONE_DIGITS, Customers.phone(customer));
        template.writeDigits(description, Naming.DIGITS, number);
        template.writeDigits(document, Customers.DOCUMENT_LENGTH, Customers.cpf(customer));
        template.writeDigits(amount, 2, number % 100);
        template.writeDigits(reference, Naming.DIGITS, number);
        template.writeHex(extra, naming.extraCode(number));
        if (pixKey >= 0) {
            template.writeDigits(pixKey, Naming.DIGITS, number);
        }
        return template.bytes();
    }
}
