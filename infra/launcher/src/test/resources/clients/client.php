<?php
declare(strict_types=1);

use GuzzleHttp\Client;
use OpenAPI\Client\Api\SandboxApi;
use OpenAPI\Client\Api\TransactionsApi;
use OpenAPI\Client\ApiException;
use OpenAPI\Client\Configuration;
use OpenAPI\Client\Model\CashinCreate;
use OpenAPI\Client\ObjectSerializer;

// Debian's package of Guzzle; with Composer it is vendor/autoload.php
require 'GuzzleHttp/autoload.php';
spl_autoload_register(function (string $class): void {
    if (str_starts_with($class, 'OpenAPI\\Client\\')) {
        require __DIR__ . '/ligeiro/lib/' . strtr(substr($class, strlen('OpenAPI\\Client\\')), '\\', '/') . '.php';
    }
});

[, $baseUrl, $key, $platform, $webhook, $newerUrl] = $argv;
$configuration = (new Configuration())->setHost($baseUrl)->setAccessToken($key);
$transactions = new TransactionsApi(new Client(), $configuration);
$cashin = new CashinCreate([
    'name' => 'Maria Silva',
    'email' => 'maria@example.com',
    'phone' => '11987654321',
    'document' => '52998224725',
    'description' => 'Order 77',
    'amount' => '150.75',
    'platform' => $platform,
    'reference' => 'php',
]);
$created = $transactions->createCashin($cashin, 'php')->getTransaction()[0];
echo "created {$created->getAmount()} {$created->getStatus()}\n";

(new SandboxApi(new Client(), $configuration))->sandboxPay($created->getId());
$shown = $created;
while ($shown->getStatus() === 'pending') {
    $shown = $transactions->showTransaction($created->getId())->getTransaction()[0];
}
echo "shown {$shown->getStatus()}\n";

$page = $transactions->listTransactions(reference: 'php', operation: 'cashin', status: 'paid');
echo "listed {$page->getTotal()} {$page->getTransactions()[0]->getReference()}\n";

$event = ObjectSerializer::deserialize(file_get_contents($webhook), '\OpenAPI\Client\Model\TransactionEvent');
echo "webhook {$event->getType()} {$event->getData()->getPreviousStatus()} {$event->getData()->getStatus()}\n";

$newer = new TransactionsApi(new Client(), (new Configuration())->setHost($newerUrl)->setAccessToken($key));
echo "newer {$newer->showTransaction($created->getId())->getTransaction()[0]->getStatus()}\n";
try {
    $newer->createCashin($cashin);
} catch (ApiException $refused) {
    echo "newer {$refused->getCode()} {$refused->getResponseObject()->getCode()}\n";
}
