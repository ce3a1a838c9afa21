/// What `sync init` writes: a configuration to begin with, which loads as it stands.
public var starterConfiguration: String {
  """
  # A configuration of sync. Check it with: sync config check
  # All settings are described by: sync config schema
  version: 1

  remotes:
    # A directory as the bucket: a mounted disk, a NAS.
    disk:
      backend: local
      path: ~/mirror

    # Amazon S3. For a compatible store add: endpoint: https://…, addressing: path
    # aws:
    #   backend: s3
    #   bucket: my-mirror
    #   region: eu-central-1
    #   credentials:
    #     access_key_id: ${AWS_ACCESS_KEY_ID}
    #     secret_access_key: ${AWS_SECRET_ACCESS_KEY}

  # Lies under every profile.
  defaults:
    exclude: [".DS_Store", "*.tmp"]

  profiles:
    # Preview with: sync plan documents. Mirror with: sync run documents
    documents:
      remote: disk
      directories:
        - path: ~/Documents
          prefix: documents/
      # delete: true          # what is gone here is deleted there; otherwise it stays
      # max_delete: 10%       # a run that would delete more does nothing

  """
}
