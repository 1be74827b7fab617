"""What Alembic runs for each command."""

from alembic import context
from models import Base
from sqlalchemy import BigInteger, Uuid, create_engine

if context.config.get_main_option("ids") == "integers":
    columns = (column for table in Base.metadata.tables.values() for column in table.columns)
    for column in columns:
        if isinstance(column.type, Uuid):
            column.type = BigInteger()

engine = create_engine(context.config.get_main_option("sqlalchemy.url"))
with engine.connect() as connection:
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        compare_type=True,
        compare_server_default=True,
    )
    with context.begin_transaction():
        context.run_migrations()
